import { describe, expect, it } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/lib/root.mjs';
import { compactJwt } from '#domain/rules/compact-jwt.ts';
import { respelled } from '../../respelled.ts';

const bytes = (length: number, first = 0): string =>
  Buffer.from(Array.from({ length }, (_, index) => (first + index * 37) % 256)).toString('base64url');
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a JWT in compact form', () => {
  it('is read with parts of every length', () => {
    for (let length = 1; length < 40; length += 1) {
      const [header, payload, signature] = [bytes(length), bytes(length + 1, 3), bytes(length + 2, 200)];
      expect(compactJwt(`${header}.${payload}.${signature}`)).toEqual({
        header,
        payload,
        signature,
        signingInput: `${header}.${payload}`,
      });
    }
  });

  it('has one spelling: of each last character only those count that an encoder writes', () => {
    for (const begin of ['', 'abc', 'abcd-_1']) {
      for (const end of ALPHABET.split('').flatMap((last) => [last, `a${last}`, `_b${last}`])) {
        const part = begin + end;
        const isCanonical = Buffer.from(part, 'base64url').toString('base64url') === part;
        const texts = [`${part}.eyJ9.AAAA`, `AAAA.${part}.AAAA`, `AAAA.eyJ9.${part}`];
        expect(texts.map((text) => compactJwt(text) !== null)).toEqual(texts.map(() => isCanonical));
      }
    }
  });

  it.each([
    ...respelled(`AAAA.AAAA.${bytes(32)}`),
    '',
    'AAAA',
    'AAAA.AAAA',
    'AAAA.AAAA.',
    '.AAAA.AAAA',
    'AAAA..AAAA',
    'AAAA.AAAA.AAAA.',
    'AAAA.AAAA.AAAA.AAAA',
    'AAAA.AAAA.AAAA.AAAA.AAAA',
    'AA+A.AAAA.AAAA',
    'AAAA.AA/A.AAAA',
    'AAAA.AAAA.AAAA\n',
    '\nAAAA.AAAA.AAAA',
    'AAAÄ.AAAA.AAAA',
  ])('is not %j', (text) => {
    expect(compactJwt(text)).toBeNull();
  });

  it('may be long', () => {
    const part = bytes(3_000_000);
    expect(compactJwt(`AAAA.${part}.AAAA`)?.payload).toHaveLength(4_000_000);
  });
});

/** The functions of jose that parse JWTs. */
const PARSERS = /\b(?:jwtVerify|compactVerify|flattenedVerify|generalVerify|decodeJwt|decodeProtectedHeader)\b/u;

describe('the readers of JWTs', () => {
  it('use jose in two files alone, which check the spelling first', () => {
    const files = ['src', 'provider/src'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    );
    const readers = files.filter(
      (file) => /\.m?tsx?$/u.test(file) && PARSERS.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(readers.sort()).toEqual(['provider/src/base/security/jwts.ts', 'src/infrastructure/server/jose-jwt.ts']);
  });
});
