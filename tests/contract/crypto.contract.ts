import type { CryptoPort } from '#application/ports/index.ts';
import { suite, type Disposable, type TestRunner } from './runner.ts';

export interface CryptoHarness extends Disposable {
  readonly crypto: CryptoPort;
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

/** FIPS 180-4's example values, and one of text beyond ASCII. */
const DIGESTS = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  ['ü', '607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f'],
] as const;

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The contract of CryptoPort. */
export function cryptoContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => CryptoHarness | Promise<CryptoHarness>,
): void {
  const { expect } = runner;
  suite(runner, `CryptoPort: ${name}`, makeHarness, (test) => {
    test('answers as many words as asked for, each a 32-bit integer', ({ crypto }) => {
      for (const count of [0, 1, 16, 1_000]) {
        const words = crypto.words(count);
        expect(words.length).toBe(count);
        expect(words instanceof Uint32Array).toBe(true);
      }
    });

    test('answers uniformly random words: every bit is set half of the time', ({ crypto }) => {
      const words = crypto.words(4_096);
      for (let bit = 0; bit < 32; bit += 1) {
        const set = words.reduce((sum, word) => sum + ((word >>> bit) & 1), 0);
        expect(set > 1_800 && set < 2_300).toBe(true);
      }
    });

    test('answers other words each time', ({ crypto }) => {
      const seen = new Set(Array.from({ length: 100 }, () => crypto.words(4).join()));
      expect(seen.size).toBe(100);
    });

    test('answers version 4 UUIDs, each another', ({ crypto }) => {
      const uuids = Array.from({ length: 200 }, () => crypto.uuid());
      expect(uuids.filter((uuid) => !UUID_V4.test(uuid))).toEqual([]);
      expect(new Set(uuids).size).toBe(200);
      expect([...new Set(uuids.map((uuid) => uuid.charAt(19)))].sort()).toEqual(['8', '9', 'a', 'b']);
    });

    test('answers the SHA-256 of the text’s UTF-8 bytes', async ({ crypto }) => {
      for (const [text, digest] of DIGESTS) expect(hex(await crypto.sha256(text))).toBe(digest);
      expect((await crypto.sha256('a')).length).toBe(32);
    });
  });
}
