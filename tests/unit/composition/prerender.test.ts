import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConfigError, inlineHashes, loginStylesheet, renderLogin, SDKUsageError } from '#composition/prerender.tsx';
import { LANGUAGES } from '#domain/widget/language.ts';
import { NO_SCRIPT } from '#presentation/messages/noscript.ts';

const TABS = {
  products: ['oauth', 'otp', 'passkeys'],
  oauthOptions: { providers: [{ type: 'google' }] },
  otpOptions: { methods: ['sms', 'email'] },
} as const;

describe('The prerendered login', () => {
  it('is the first screen, with its fields, buttons and tabs', async () => {
    const html = await renderLogin({ config: TABS });
    for (const text of [
      'Sign up or log in',
      'Continue with Google',
      'Phone number',
      'Email address',
      'Login with a Passkey',
    ])
      expect(html).toContain(text);
    expect(html).toContain('data-state="ready"');
  });

  it('has no inline script, style or handler, and its forms send nothing', async () => {
    const html = await renderLogin({
      config: TABS,
      styles: { colors: { primary: '#123456' } },
      project: { projectName: '"><script>' },
    });
    expect(html.match(/<script[^>]*>/gu)).toEqual(['<script src="/portico/early.js" data-portico-helper="">']);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/u);
    expect(html.match(/<form /gu)).toHaveLength(2);
    expect(html.match(/<form [^>]*method="dialog"/gu)).toHaveLength(2);
  });

  it('takes the files from where the host serves them', async () => {
    const html = await renderLogin({ stylesheet: '/a.css?x=1&y="', early: 'https://cdn.example/e.js' });
    expect(html).toContain('<link rel="stylesheet" href="/a.css?x=1&amp;y=&quot;"');
    expect(html).toContain('<script src="https://cdn.example/e.js"');
  });

  it('gives logins with the same options different ids where each has its own id', async () => {
    const one = await renderLogin({ config: TABS });
    const other = await renderLogin({ config: TABS, id: '2' });
    const idsIn = (html: string) => [...html.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id);
    expect(idsIn(one)).not.toEqual([]);
    expect(idsIn(one).filter((id) => idsIn(other).includes(id))).toEqual([]);
  });

  it('is in a declarative shadow root when the configuration wants one', async () => {
    const light = await renderLogin({ config: TABS });
    const shadow = await renderLogin({ config: { ...TABS, enableShadowDOM: true } });
    expect(light).not.toContain('<template');
    expect(shadow).toMatch(/<template shadowrootmode="open"><link rel="stylesheet"[^>]*><div><div data-portico/u);
  });

  it.each(LANGUAGES)('speaks %s, with the sentence for browsers without JavaScript', async (locale) => {
    const html = await renderLogin({ locale });
    expect(html).toContain(`<noscript data-portico-helper=""><p data-portico-sentence="" lang="${locale}"`);
    expect(html).toContain(NO_SCRIPT[locale]);
    expect(html).toContain(`data-state="ready" lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"`);
    expect(html.includes('Sign up or log in')).toBe(locale === 'en');
  });

  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['nl, en;q=0.5, fr;q=0.8', 'fr'],
    ['ja;q=0, es;q=0.1', 'es'],
    ['zh-TW', 'en'],
    ['*', 'en'],
  ])('reads the header Accept-Language %o as %s', async (locale, language) => {
    expect(await renderLogin({ locale })).toContain(` lang="${language}" dir=`);
  });

  it('shows the host’s texts, its logo as a path, and the link of the project', async () => {
    const html = await renderLogin({
      texts: { 'main.title': 'Come <in>' },
      styles: { logo: { logoImageUrl: '/logo.png' } },
      project: { projectName: 'Acme', displayWatermark: true },
    });
    expect(html).toContain('Come &lt;in&gt;');
    expect(html).toMatch(/<img data-part="logo" src="\/logo\.png" alt="Acme"/u);
    expect(html).toContain('Powered by');
  });

  it.each([
    [{ strings: {} }, /strings is no option/u],
    [{ config: 7 }, /config must be an object/u],
    [{ texts: 'x' }, /texts must be an object/u],
    [{ locale: 7 }, /locale must be a string/u],
    [{ project: { name: 'Acme' } }, /project: name is no option/u],
    [{ project: { displayWatermark: 'yes' } }, /project: displayWatermark must be a boolean/u],
    [{ stylesheet: 'javascript:alert(1)' }, /stylesheet must be a URL/u],
    [{ early: '' }, /early must be a URL/u],
    [{ inline: 'yes' }, /inline must be a boolean/u],
    [{ inline: true, early: '/e.js' }, /early has no effect with inline/u],
    [{ inline: true, stylesheet: '/a.css' }, /stylesheet has no effect with inline/u],
    [{ id: 'a b' }, /id must consist of letters and digits/u],
    [{ styles: { colors: { primary: 'rebeccapurple' } } }, /styles\.colors\.primary must be a hexadecimal colour/u],
    [{ styles: { container: { width: 'wide' } } }, /styles\.container\.width is not valid/u],
    [{ styles: { preset: 'baroque' } }, /styles\.preset is 'baroque'/u],
    [{ config: { stepUp: { factors: ['totp'], reason: 'policy' } } }, /config\.stepUp/u],
  ])('refuses %o and names the field', async (options, words) => {
    const refused = renderLogin(options as never);
    await expect(refused).rejects.toThrow(SDKUsageError);
    await expect(refused).rejects.toThrow(words);
  });

  it('refuses a configuration that a mount call refuses, with the same error', async () => {
    const refused = renderLogin({ config: { products: ['passkeys'] } });
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(renderLogin({ config: { products: 'otp' } as never })).rejects.toThrow('config.products');
  });
});

describe('The prerendered login with everything inline', () => {
  const hash = (text = ''): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

  const HOSTILE = { name: 'own', sheets: () => ['a{content:"</style><script>alert(1)</script>"}'] } as never;

  it.each([[{}], [{ preset: 'soft', colors: { primary: '#123456' } }], [{ preset: HOSTILE }]] as const)(
    'contains one style sheet and one script, of which the hashes are known: %o',
    async (styles) => {
      const html = await renderLogin({ config: TABS, styles, inline: true });
      const [[, style] = [], ...sheets] = html.matchAll(/<style[^>]*>([^]*?)<\/style>/gu);
      const [[, script] = [], ...scripts] = html.matchAll(/<script[^>]*>([^]*?)<\/script>/gu);
      expect([...sheets, ...scripts]).toEqual([]);
      expect(html).not.toMatch(/<link|<script[^>]* src=|\sstyle=|\son[a-z]+=/u);
      expect(await inlineHashes({ styles })).toEqual({ style: hash(style), script: hash(script) });
      expect(style).toContain('[data-portico]');
    },
  );

  it('has the same text in its shadow root, so that one hash allows both', async () => {
    const html = await renderLogin({ config: { ...TABS, enableShadowDOM: true }, inline: true });
    const texts = [...html.matchAll(/<style[^>]*>([^]*?)<\/style>/gu)].map(([, text]) => hash(text));
    expect(new Set(texts)).toEqual(new Set([(await inlineHashes()).style]));
    expect(texts).toHaveLength(2);
  });

  it('rejects styles that loginStylesheet refuses', async () => {
    await expect(inlineHashes({ styles: { preset: 'baroque' as never } })).rejects.toThrow(SDKUsageError);
  });
});

describe('The style sheet of a prerendered login', () => {
  it('holds the host’s values, which apply to the markup alone', async () => {
    const styles = {
      preset: 'soft',
      container: { backgroundColor: '#101820' },
      colors: { primary: '#ffd166' },
    } as const;
    const css = loginStylesheet({ styles });
    expect(css).toContain('[data-portico-tokens]{--portico-container-background-color:#101820');
    const html = await renderLogin({ styles });
    expect(html).toContain('data-portico-scheme="dark" data-portico-preset="soft" data-portico-tokens=""');
    expect(await renderLogin()).not.toContain('data-portico-tokens');
  });

  it('refuses what is no style', () => {
    expect(() => loginStylesheet({ styles: { fontFamily: 'x;}' } })).toThrow(/styles\.fontFamily is not valid/u);
    expect(() => loginStylesheet({ style: {} } as never)).toThrow(/style is no option\. Did you mean styles/u);
  });
});
