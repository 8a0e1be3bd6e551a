/*
 * Test cases of the specification of GCM that NIST adopted, with both types of keys, both lengths of tags, and lists. The
 * format of tasks. Random texts: libcrypto, called directly, encrypts them to the same bytes, and decrypts them.
 */
#include <openssl/evp.h>
#include <stdio.h>

#include "aes_gcm.h"

#define K128 "feffe9928665731c6d6a8f9467308308"
#define TEXT "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
#define AAD "feedfacedeadbeeffeedfacedeadbeefabaddad2"
#define ZEROES_16 "00000000000000000000000000000000"

enum { MAX = 256, ROUNDS = 40 };

struct example {
	const char *key, *iv, *aad, *text, *cipher, *tag;
};

static const struct example examples[] = {
	{ ZEROES_16, "000000000000000000000000", "", ZEROES_16, "0388dace60b6a392f328c2b971b2fe78",
	  "ab6e47d42cec13bdf53a67b21257bddf" },
	{ K128, "cafebabefacedbaddecaf888", "", TEXT "1aafd255",
	  "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
	  "473f5985",
	  "4d5c2af327cd64a62cf35abd2ba6fab4" },
	{ K128, "cafebabefacedbaddecaf888", AAD, TEXT,
	  "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
	  "5bc94fbc3221a5db94fae95ae7121a47" },
	{ K128, "cafebabefacedbad", AAD, TEXT,
	  "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c742373806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
	  "3612d2e79e3b0785561be14aaca2fccb" },
	{ ZEROES_16 ZEROES_16, "000000000000000000000000", "", ZEROES_16, "cea7403d4d606b6e074ec5d3baf39d18",
	  "d0d1c8a799996bf0265b98b5d48ab919" },
	{ K128 K128, "cafebabefacedbaddecaf888", "", TEXT "1aafd255",
	  "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
	  "898015ad",
	  "b094dac5d93471bdec1a502270e3cc6c" },
	{ K128 K128, "cafebabefacedbaddecaf888", AAD, TEXT,
	  "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
	  "76fc6ece0f4e1768cddf8853bb2d551b" },
	{ K128 K128, "cafebabefacedbad", AAD, TEXT,
	  "c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f",
	  "3a337dbf46a792c45e454913fe2ea8f2" },
	/* no text: a message authentication code */
	{ "77be63708971c4e240d1cb79e8d77feb", "e0e00f19fed7ba0136a797f3", "7a43ec1d9c0a5a78a0b16533a6213cab", "", "",
	  "209fcc8d3675ed938e9c7166709dd946" },
};

static size_t unhex(const char *text, uint8_t *bytes)
{
	size_t len = strlen(text) / 2;

	for (size_t i = 0; i < len; i++)
		CHECK(sscanf(text + 2 * i, "%2hhx", &bytes[i]) == 1);
	return len;
}

/* Encrypts and decrypts an example with lists of pieces. */
static void check_example(struct sealer *sealer, const struct example *example, uint32_t tag_size, int pieces)
{
	uint8_t key[AES_KEY_256], iv[AES_IV], plain[MAX], sealed[MAX];
	size_t key_len = unhex(example->key, key), aad_len = unhex(example->aad, plain);
	size_t plain_len = aad_len + unhex(example->text, plain + aad_len), sealed_len = plain_len + tag_size;
	struct aes_settings settings = {
		.key = aes_key(sealer, key, key_len),
		.iv = iv,
		.iv_len = (uint32_t)unhex(example->iv, iv),
		.tag_size = tag_size,
		.aad_size = (uint32_t)aad_len,
	};
	struct rig *rig = &sealer->rig;
	struct doca_buf *dst;

	memcpy(sealed, plain, aad_len);
	unhex(example->cipher, sealed + aad_len);
	unhex(example->tag, sealed + plain_len);
	memcpy(rig->memory, plain, plain_len);
	dst = codec_list(rig, AES_AT, sealed_len, pieces, 0);
	CHECK_OK(aes_encrypt(sealer, codec_list(rig, 0, plain_len, pieces, 1), dst, &settings));
	CHECK_EQ(codec_list_len(dst), sealed_len);
	CHECK(memcmp(rig->memory + AES_AT, sealed, sealed_len) == 0);
	rig_drop(dst);
	dst = codec_list(rig, AES_BACK, plain_len, pieces, 0);
	CHECK_OK(aes_decrypt(sealer, codec_list(rig, AES_AT, sealed_len, pieces + 1, 1), dst, &settings));
	CHECK_EQ(codec_list_len(dst), plain_len);
	CHECK(memcmp(rig->memory + AES_BACK, plain, plain_len) == 0);
	rig_drop(dst);
	CHECK_OK(doca_aes_gcm_key_destroy(settings.key));
}

/* A source and a destination over the same memory. */
static void in_place(struct sealer *sealer, size_t len)
{
	uint8_t key[AES_KEY_256] = "32 bytes of a key, more or less", iv[AES_IV] = "twelve bytes";
	struct aes_settings settings = { aes_key(sealer, key, AES_KEY_256), iv, AES_IV, 16, 20 };
	struct rig *rig = &sealer->rig;
	struct doca_buf *dst = rig_room(rig, 0, len + 16);

	memcpy(rig->memory + AES_BACK, rig->memory, len);
	CHECK_OK(aes_encrypt(sealer, rig_source(rig, 0, len), dst, &settings));
	CHECK(memcmp(rig->memory + AES_BACK + 20, rig->memory + 20, len - 20) != 0);
	CHECK_OK(doca_buf_reset_data_len(dst));
	CHECK_OK(aes_decrypt(sealer, rig_source(rig, 0, len + 16), dst, &settings));
	CHECK_EQ(rig_data_len(dst), len);
	CHECK(memcmp(rig->memory + AES_BACK, rig->memory, len) == 0);
	rig_drop(dst);
	CHECK_OK(doca_aes_gcm_key_destroy(settings.key));
}

/* Encrypts with libcrypto: additional data | text -> additional data | ciphertext | tag. */
static void reference(const uint8_t *key, const uint8_t *iv, const uint8_t *in, int aad_len, int len, uint8_t *out)
{
	EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
	int n;

	CHECK(EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, iv));
	CHECK(EVP_EncryptUpdate(context, NULL, &n, in, aad_len));
	CHECK(EVP_EncryptUpdate(context, out + aad_len, &n, in + aad_len, len - aad_len));
	CHECK(EVP_EncryptFinal_ex(context, out + len, &n));
	CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, out + len));
	memcpy(out, in, (size_t)aad_len);
	EVP_CIPHER_CTX_free(context);
}

static void equals_libcrypto(struct sealer *sealer)
{
	static uint8_t sealed[200000];
	struct rig *rig = &sealer->rig;
	uint32_t random = 1;

	for (int round = 0; round < ROUNDS; round++) {
		size_t len = 1 + (random = random * 1103515245 + 12345) % 150000, aad_len = random % 300 % len;
		int pieces = 1 + (int)(random >> 8) % 40;
		struct aes_settings settings = { aes_key(sealer, rig->memory + 9, AES_KEY_256), rig->memory + 50, AES_IV, 16,
						 (uint32_t)aad_len };
		struct doca_buf *dst = codec_list(rig, AES_AT, len + 16, pieces, 0);

		reference(rig->memory + 9, rig->memory + 50, rig->memory, (int)aad_len, (int)len, sealed);
		CHECK_OK(aes_encrypt(sealer, codec_list(rig, 0, len, 3, 1), dst, &settings));
		CHECK(memcmp(sealed, rig->memory + AES_AT, len + 16) == 0);
		rig_drop(dst);
		memcpy(rig->memory + AES_AT, sealed, len + 16);
		dst = codec_list(rig, AES_BACK, len, 2, 0);
		CHECK_OK(aes_decrypt(sealer, codec_list(rig, AES_AT, len + 16, pieces, 1), dst, &settings));
		CHECK(memcmp(rig->memory, rig->memory + AES_BACK, len) == 0);
		rig_drop(dst);
		CHECK_OK(doca_aes_gcm_key_destroy(settings.key));
	}
}

static void test(struct sealer *sealer)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		for (int pieces = 1; pieces <= 5; pieces += 2) {
			check_example(sealer, &examples[i], 16, pieces);
			check_example(sealer, &examples[i], 12, pieces);
		}
	}
	in_place(sealer, 100000);
	equals_libcrypto(sealer);
}

int main(void)
{
	aes_in_both_modes(test, 1);
	return 0;
}
