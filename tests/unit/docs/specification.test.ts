import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PRODUCT } from '#scripts/lib/product.ts';
import { api } from '#application/api/index.ts';
import type { Endpoint } from '#application/api/index.ts';
import { TRANSLATED_TEXTS } from '#domain/rules/refusal-texts.ts';
import { errorTexts } from '#presentation/messages/en/errors.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const text = read('docs/specification.md');
const sections = text.split(/^## \d\. /mu).slice(1);
const section = (number: number): string => sections[number - 1] ?? '';
const quoted = (part: string, pattern: RegExp): string[] => [...part.matchAll(pattern)].map(([, name = '']) => name);

const sources = [...PRODUCT, 'provider/tests', 'tests'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/u.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`),
);

/** The error types that the wire's own client has texts for, its passkey errors under our names. */
const OF_THE_WIRE = new Set(
  `invalid_email invalid_phone_number unsubscribed_phone_number inactive_email unauthorized_credentials user_unauthenticated
  email_not_found unable_to_auth_magic_link no_user_password breached_password reset_password oauth_token_not_found
  invalid_code member_password_not_found oauth_flow_callback_error unauthorized_action user_lock_limit_reached
  invalid_session_token session_not_found invalid_phone_number_country_code otp_code_not_found
  duplicate_member_phone_number webauthn_registration_not_found passkey_already_registered passkey_not_created
  passkey_login_failed`.split(/\s+/u),
);

describe('The specification', () => {
  it('has the nine sections that comments cite, and comments cite no other', () => {
    expect(sections).toHaveLength(9);
    const cited = sources.flatMap((path) =>
      quoted(read(path).replaceAll(/\n\s*(?:\*|\/\/)?\s*/gu, ' '), /[Ss]pecification, sections? ([\d, and]*\d)/gu),
    );
    expect(cited.length).toBeGreaterThan(50);
    const numbers = cited.flatMap((one) => one.match(/\d+/gu) ?? []).map(Number);
    expect(numbers.filter((number) => number < 1 || number > sections.length)).toEqual([]);
  });

  it('lists every call of the wire, and no other', () => {
    const listed = quoted(section(7), /`((?:GET|POST|PUT|DELETE) \/[^`]*)`/gu).sort();
    const calls = Object.values(api).flatMap((area) => Object.values<Endpoint>(area));
    expect(listed).toEqual(calls.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('lists every screen that has transitions, and no other', () => {
    const listed = quoted(section(2), /^\| `(\w+)` \|/gmu).sort();
    const union = read('src/domain/screens/screen.ts');
    expect(listed).toEqual([...new Set(quoted(union, /readonly name: '(\w+)'/gu))].sort());
  });

  const types = Object.keys(errorTexts).flatMap((key) => /^error\.([^.]+)/u.exec(key)?.[1] ?? []);
  const listed = (from: string, to: string): string[] =>
    quoted(section(8).split(from)[1]?.split(to)[0] ?? '', /`([a-z_]+)`/gu).sort();

  it('lists every type of refusal that has an English text: those of the wire, and no other', () => {
    const named = listed('- Of the wire:', '- Ours');
    expect(named).toEqual([...new Set(types)].sort());
    expect(named).toEqual([...OF_THE_WIRE].sort());
  });

  it('lists every type of refusal that only the other languages have texts for', () => {
    // The client alone creates `crypto_wallet_request_pending`; `app` and `gone` are texts of several types.
    const others = ['app', 'crypto_wallet_request_pending', 'gone'];
    expect(listed('- Ours', '\n\n')).toEqual([...Object.keys(TRANSLATED_TEXTS), ...others].sort());
  });

  it('names every event that is logged, and no other', () => {
    const [, row = ''] = /^\| named log events \|(.*)$/mu.exec(text) ?? [];
    const [, union = ''] = /readonly name:([^;]+);/u.exec(read('src/application/telemetry/logged-events.ts')) ?? [];
    expect(quoted(row, /`([a-z_]+)`/gu).sort()).toEqual(quoted(union, /'([a-z_]+)'/gu).sort());
  });

  it('marks each departure that its table lists by section, and lists each that it marks', () => {
    const table = text.split('## Departures')[1] ?? '';
    const rows = [...table.matchAll(/^\| (\d), (ours|stricter): ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gmu)];
    expect(rows.length).toBeGreaterThan(30);
    expect(quoted(table, /^\| (\d, [^:]+):/gmu)).toHaveLength(rows.length);
    const listed = rows.map(([, number = '', kind = '']) => `${number} ${kind}`);
    const marked = sections.flatMap((part, at) =>
      quoted(part.split('## Departures')[0] ?? '', /\*\*(?:[\w ]+ )?\((ours|stricter)\b/gu).map(
        (kind) => `${at + 1} ${kind}`,
      ),
    );
    expect(listed.sort()).toEqual(marked.sort());
  });
});
