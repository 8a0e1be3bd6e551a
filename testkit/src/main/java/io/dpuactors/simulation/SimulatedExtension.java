package io.dpuactors.simulation;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/** Runs a method with {@link Simulated} once for each seed. JUnit creates this class. */
public final class SimulatedExtension implements TestTemplateInvocationContextProvider {
  private static final String SEED = "simulation.seed";
  private static final String TRACE = "simulation.trace";

  /** Creates the extension. JUnit calls this constructor by reflection. */
  public SimulatedExtension() {}

  /**
   * The simulator of a method. JUnit closes it after the last seed: before JUnit 5.13 only because
   * of the deprecated type.
   */
  @SuppressWarnings("deprecation")
  private static final class Seeds implements CloseableResource, AutoCloseable {
    private final String config;
    private @Nullable Simulator simulator;
    private boolean hasFailed;

    Seeds(String config) {
      this.config = config;
    }

    Simulator simulator() {
      if (simulator == null) {
        simulator = Simulator.create(config());
      }
      return simulator;
    }

    /** Returns the settings. A resource that does not exist is an error of the test. */
    private Config config() {
      return config.isEmpty()
          ? SimulatedConfig.NONE
          : ConfigFactory.parseResources(
              config, ConfigParseOptions.defaults().setAllowMissing(false));
    }

    @Override
    public void close() {
      if (simulator != null) {
        simulator.close();
        simulator = null;
      }
    }
  }

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return context.getTestMethod().filter(m -> m.isAnnotationPresent(Simulated.class)).isPresent();
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    Simulated options = context.getRequiredTestMethod().getAnnotation(Simulated.class);
    Seeds seeds = new Seeds(options.config());
    context.getStore(Namespace.create(SimulatedExtension.class)).put(Seeds.class, seeds);
    Optional<Long> one = context.getConfigurationParameter(SEED, Long::valueOf);
    return LongStream.range(0, one.isPresent() ? 1 : options.seeds())
        .takeWhile(i -> !seeds.hasFailed)
        .mapToObj(i -> new OneSeed(seeds, one.orElse(options.from() + i), options.faults()));
  }

  private record OneSeed(Seeds seeds, long seed, String plan)
      implements TestTemplateInvocationContext, InvocationInterceptor, ParameterResolver {
    @Override
    public String getDisplayName(int invocation) {
      return "seed " + seed;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == SimulatedSystem.class;
    }

    /** The run, which begins later, replaces this argument. */
    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return null;
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws IOException {
      invocation.skip(); // the run calls the method
      Optional<Path> file = context.getConfigurationParameter(TRACE, Path::of);
      if (file.isEmpty()) {
        run(method, null);
        return;
      }
      try (TraceFile trace = TraceFile.create(file.get())) {
        run(method, trace);
      }
    }

    private void run(
        ReflectiveInvocationContext<Method> method, @Nullable Consumer<TraceStep> reader) {
      seeds.hasFailed = true; // until the run has ended
      ProgramScenario program = ProgramScenario.of(plan, system -> call(method, system));
      try {
        seeds.simulator().require(program, seed, reader);
        seeds.hasFailed = false;
      } catch (SimulationFailedError e) {
        throw new SimulationFailedError(
            e,
            "replay: JAVA_HOME=%s, -D%s=%d -D%s=FILE"
                .formatted(System.getProperty("java.home"), SEED, seed, TRACE));
      } catch (TestAbortedException e) { // an assumption of the test: the other seeds run
        seeds.hasFailed = false;
        seeds.close(); // actors of the run may be left
        throw e;
      }
    }

    private static void call(ReflectiveInvocationContext<Method> method, SimulatedSystem system) {
      Object[] arguments =
          method.getArguments().stream().map(one -> one == null ? system : one).toArray();
      ReflectionSupport.invokeMethod(
          method.getExecutable(), method.getTarget().orElse(null), arguments);
    }
  }
}
