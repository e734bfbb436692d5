import type { LoginConfig } from 'portico';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { DEFAULTS, type Choices } from '../../../demo/parts/choices.ts';
import { THEMES, WAYS } from '../../../demo/parts/presets.ts';
import { highlight } from '../../../demo/code/highlight.ts';
import { SAMPLES, type SampleKind } from '../../../demo/code/samples.ts';
import { print } from '../../../demo/code/print.ts';
import { setProviders } from '../../../demo/playground/edits.ts';

const SERVER = {
  provider: 'http://localhost:4100',
  publicToken: 'public-token-test-1',
  projectId: 'project-test-1',
};
const HOSTILE = `'"\\ \n\r\u2028\u2029 \${location} \` </script><script>alert(1)</script> <!-- -->`;

const code = (kind: SampleKind, choices: Partial<Choices>): string =>
  SAMPLES[kind].write({ choices: { ...DEFAULTS, ...choices }, server: SERVER });

/** What stands between the script tags that have no source. */
const scriptOf = (html: string): string => /<script(?: setup lang="ts")?>\n([\s\S]*?)<\/script>/u.exec(html)?.[1] ?? '';

const CHOICES: Readonly<Record<string, Partial<Choices>>> = {
  'the defaults': {},
  ...Object.fromEntries(Object.entries(WAYS).map(([way, config]) => [`the way ${way}`, { config }])),
  ...Object.fromEntries(Object.entries(THEMES).map(([theme, styles]) => [`the theme ${theme}`, { styles }])),
  'every social login': {
    config: setProviders({}, ['google', 'yahoo', 'tiktok', 'figma', 'slack', 'apple', 'github']),
  },
  'no product at all': { config: { products: [] } },
  'texts and a language': { strings: { 'main.title': 'Grüß dich' }, language: 'ar' },
  'hostile texts': {
    config: {
      products: ['otp'],
      otpOptions: { methods: ['email'], locale: HOSTILE },
      [HOSTILE]: HOSTILE,
    } as LoginConfig,
    strings: { 'main.title': HOSTILE },
    language: HOSTILE,
  },
};

describe('the code for what is chosen', () => {
  it.each(Object.entries(CHOICES))('parses in every form: %s', (_name, choices) => {
    expect(parseSync('vanilla.ts', code('vanilla', choices)).errors).toEqual([]);
    expect(parseSync('react.tsx', code('react', choices)).errors).toEqual([]);
    expect(parseSync('next.tsx', code('next', choices)).errors).toEqual([]);
    expect(parseSync('server.ts', code('server', choices)).errors).toEqual([]);
    const vue = code('vue', choices);
    expect(vue.match(/<\/?(?:script|template)\b/gu)).toHaveLength(4);
    expect(parseSync('vue.ts', scriptOf(vue)).errors).toEqual([]);
    const html = code('script', choices);
    expect(html.match(/<script/gu)).toHaveLength(2);
    expect(html.match(/<\/script/gu)).toHaveLength(2);
    expect(parseSync('script.js', scriptOf(html), { sourceType: 'script' }).errors).toEqual([]);
  });

  it('mounts exactly the chosen options', () => {
    for (const choices of Object.values(CHOICES)) {
      const mounted: unknown[] = [];
      class PorticoUIClient {
        readonly mountLogin = (options: unknown) => mounted.push(options);
      }
      // oxlint-disable-next-line no-implied-eval, no-new-func -- the point of the code is to be run
      const run = new Function('Portico', 'location', scriptOf(code('script', choices)));
      run({ PorticoUIClient }, { origin: 'https://host.example' });
      const { config, styles, strings, language } = { ...DEFAULTS, ...choices };
      expect(mounted).toHaveLength(1);
      const [options] = mounted as [Record<string, unknown>];
      expect(options).toMatchObject({
        elementId: '#login',
        config: { ...config, products: config.products ?? ['emailMagicLinks'] },
      });
      expect(options['styles'] ?? {}).toEqual(styles);
      expect(options['strings'] ?? {}).toEqual(strings);
      expect(options['language'] ?? 'en').toBe(language);
    }
  });

  it("names the host's own pages for what the products send, and for nothing else", () => {
    const links = code('vanilla', { config: WAYS.link });
    expect(links).toContain('loginRedirectURL: `${location.origin}/authenticate`');
    expect(links).not.toContain('/reset');
    expect(code('vanilla', { config: WAYS.password })).toContain(
      'resetPasswordRedirectURL: `${location.origin}/reset`',
    );
    expect(code('vanilla', { config: WAYS.passcode })).not.toContain('RedirectURL');
  });

  it('needs React only where the host has it', () => {
    expect(code('vanilla', {})).toContain("from 'portico/standalone';");
    expect(code('vue', {})).toContain("from 'portico/standalone';");
    expect(code('react', {})).toContain("from 'portico';");
  });
});

describe('coloured code', () => {
  it.each(Object.entries(CHOICES))('is the code, whatever it holds: %s', (_name, choices) => {
    for (const [kind, { language }] of Object.entries(SAMPLES)) {
      const text = code(kind as SampleKind, choices);
      const pieces = highlight(text, language);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      expect(pieces.some((piece) => piece.kind === 'keyword')).toBe(true);
    }
  });
});

describe('a printed value', () => {
  it('makes the value that it was', () => {
    const values = [
      HOSTILE,
      { [HOSTILE]: [HOSTILE] },
      [1, null, true, { a: [] }],
      {},
      JSON.parse('{"__proto__":{"a":1}}'),
    ];
    for (const value of values) {
      // oxlint-disable-next-line no-implied-eval, no-new-func -- the point of the code is to be run
      const made: unknown = new Function(`return (${print(value)})`)();
      expect(made).toEqual(value);
    }
  });

  it('leaves out undefined values', () => {
    expect(print({ a: undefined, b: 1 })).toBe('{ b: 1 }');
  });
});
