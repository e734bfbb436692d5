import { describe, expect, it } from 'vitest';
import { api } from '#application/api/index.ts';
import { isAuthError } from '#domain/errors.ts';
import { rawReply } from '#kit/transport/fake-reply.ts';
import { TestWorld } from '../world.ts';

/** RFC 8259: what must be read, what must be refused, and what readers may choose about. */
const JSON_KINDS: readonly (readonly [string, string, 'read' | 'refused' | 'either'])[] = [
  ['an empty text', '', 'refused'],
  ['white space alone', ' \t\r\n', 'refused'],
  ['white space around', ' \t\r\n{}\n ', 'read'],
  ['a lone literal', 'true', 'read'],
  ['a literal in capitals', 'TRUE', 'refused'],
  ['NaN', '[NaN]', 'refused'],
  ['a trailing comma in a list', '[1,]', 'refused'],
  ['a trailing comma in an object', '{"a":1,}', 'refused'],
  ['two commas', '[1,,2]', 'refused'],
  ['a comment', '[1]/* no */', 'refused'],
  ['a second value', '{} {}', 'refused'],
  ['an unclosed list', '[1', 'refused'],
  ['an unclosed string', '["a', 'refused'],
  ['single quotes', "{'a':1}", 'refused'],
  ['a name without quotes', '{a:1}', 'refused'],
  ['a name twice', '{"a":1,"a":2}', 'read'],
  ['an empty name', '{"":0}', 'read'],
  ['a leading zero', '[01]', 'refused'],
  ['a leading plus', '[+1]', 'refused'],
  ['a point without digits', '[1.]', 'refused'],
  ['hexadecimal', '[0x1]', 'refused'],
  ['a number too large for a double', '[1e400]', 'either'],
  ['a number too small for a double', '[1e-400]', 'either'],
  ['more digits than a double holds', '[123456789012345678901234567890]', 'either'],
  ['minus zero', '[-0]', 'read'],
  ['a control character in a string', '["\u0001"]', 'refused'],
  ['a line break in a string', '["\n"]', 'refused'],
  ['DEL in a string', '["\u007f"]', 'read'],
  ['U+2028 in a string', '["\u2028"]', 'read'],
  ['an unknown escape', String.raw`["\x00"]`, 'refused'],
  ['a short escape', String.raw`["\u00"]`, 'refused'],
  ['half a surrogate pair', String.raw`["\ud800"]`, 'either'],
  ['a byte order mark', '\ufeff{}', 'either'],
  ['a replacement character', '["\ufffd"]', 'read'],
  ['100,000 open lists', '['.repeat(100_000), 'refused'],
  ['5,000 lists in each other', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'either'],
];

describe('every kind of JSON', () => {
  it.each(JSON_KINDS)('%s', async (_, text, verdict) => {
    const world = new TestWorld();
    const { client } = world.open({ telemetry: false });
    for (const status of [200, 400]) {
      world.transport.answer(api.users.search, () => rawReply(status, text, { 'content-type': 'application/json' }));
      const error: unknown = await client.user.search('a@b.co').catch((thrown: unknown) => thrown);
      expect(isAuthError(error)).toBe(true);
      const said = (error as Error).message;
      const read = status === 200 ? 'Invalid response from our servers.' : '[400] unknown_error';
      const refused = 'Invalid JSON response from our servers.';
      if (verdict === 'read') expect(said).toContain(read);
      else if (verdict === 'refused') expect(said).toBe(refused);
      else expect(said.startsWith(read) || said === refused).toBe(true);
    }
    client.destroy();
  });
});
