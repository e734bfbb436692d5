import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  inlineHashes,
  loginStylesheet,
  renderAccount,
  renderIdentityProvider,
  renderLogin,
  renderPasskeyRegistration,
  renderPasswordReset,
  SDKUsageError,
  widgetStylesheet,
  type PasswordResetPrerenderOptions,
} from '#composition/prerender.tsx';
import { portico } from '#composition/vite.ts';
import { LANGUAGES } from '#domain/widget/language.ts';
import { NO_SCRIPT_PAGE } from '#presentation/messages/noscript.ts';

type Render = (options?: PasswordResetPrerenderOptions) => Promise<string>;

interface PrerenderedPage {
  readonly widget: 'reset' | 'passkeys' | 'consent' | 'account';
  readonly render: Render;
  /** What its first screen says in English. */
  readonly texts: readonly string[];
}
const WIDGETS: readonly PrerenderedPage[] = [
  {
    widget: 'reset',
    render: renderPasswordReset,
    texts: ['Reset your password', 'New password', 'Login without a password'],
  },
  {
    widget: 'passkeys',
    render: renderPasskeyRegistration,
    texts: ['Set up a new Passkey', 'Create a Passkey', 'Skip'],
  },
  { widget: 'consent', render: renderIdentityProvider, texts: ['One moment…'] },
  { widget: 'account', render: renderAccount, texts: ['Your account', 'Loading…'] },
];

describe.each(WIDGETS)('The prerendered $widget', ({ widget, render, texts }) => {
  it('is the first screen, with the name of the widget and its own files', async () => {
    const html = await render();
    for (const text of texts) expect(html).toContain(text);
    expect(html).toContain(
      `data-portico-widget="${widget}"><div data-portico="" data-state="ready" lang="en" dir="ltr">`,
    );
    expect(html).toContain(`<link rel="stylesheet" href="/portico/${widget}.css"`);
    expect(html.match(/<script[^>]*>/gu)).toEqual(['<script src="/portico/early.js" data-portico-helper="">']);
  });

  it('has no inline style or handler, and forms that send nothing', async () => {
    const html = await render({ styles: { colors: { primary: '#123456' } } });
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/u);
    expect(html.match(/<form [^>]*method="dialog"/gu)).toEqual(html.match(/<form /gu) && [expect.any(String)]);
  });

  it('gives a password field no name, so that a browser without the method `dialog` cannot send it in an address', async () => {
    const html = await render();
    const fields = html.match(/<input[^>]*type="password"[^>]*>/gu) ?? [];
    expect(fields).toHaveLength(widget === 'reset' ? 1 : 0);
    for (const field of fields) expect(field).not.toMatch(/\sname=/u);
  });

  it.each(LANGUAGES)('speaks %s, with the sentence for browsers without JavaScript', async (locale) => {
    const html = await render({ locale });
    const direction = locale === 'ar' ? 'rtl' : 'ltr';
    expect(html).toContain(`<p data-portico-sentence="" lang="${locale}" dir="${direction}">${NO_SCRIPT_PAGE[locale]}`);
    expect(html).toContain(`data-state="ready" lang="${locale}" dir="${direction}"`);
    expect(html.includes(texts[0] ?? '')).toBe(locale === 'en');
  });

  it('shows the host’s look, in a declarative shadow root when the configuration wants one', async () => {
    const html = await render({
      config: { enableShadowDOM: true },
      styles: { preset: 'soft', container: { backgroundColor: '#101820' } },
      project: { displayWatermark: true },
    });
    expect(html).toMatch(
      /<template shadowrootmode="open"><link rel="stylesheet"[^>]*><div data-portico-scheme="dark" data-portico-preset="soft" data-portico-tokens="">/u,
    );
    expect(html).toContain('Powered by');
  });

  it('contains its style sheet and the script with inline, of which the hashes are known', async () => {
    const html = await render({ inline: true });
    const hash = (text = ''): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const [[, style] = []] = html.matchAll(/<style[^>]*>([^]*?)<\/style>/gu);
    const [[, script] = []] = html.matchAll(/<script[^>]*>([^]*?)<\/script>/gu);
    expect(await inlineHashes({ widget })).toEqual({ style: hash(style), script: hash(script) });
    expect(style).toBe(widgetStylesheet({ widget }));
    expect(style).not.toBe(loginStylesheet());
  });

  it('has other ids than a login with the same options', async () => {
    const idsIn = (html: string) => [...html.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id);
    const login = idsIn(await renderLogin());
    expect(login).not.toEqual([]);
    expect(idsIn(await render()).filter((id) => login.includes(id))).toEqual([]);
  });

  it('refuses an unknown option and names it', async () => {
    await expect(render({ strings: {} } as never)).rejects.toThrow(/strings is no option/u);
    await expect(render({ locale: 7 } as never)).rejects.toThrow(SDKUsageError);
  });
});

it('renders each widget alike, whichever the same server has rendered before or at the same time', async () => {
  const renders = [renderLogin, ...WIDGETS.map(({ render }) => render)];
  const config = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;
  const alone: string[] = [];
  for (const render of renders) alone.push(await render({ config }));
  expect(await Promise.all(renders.map((render) => render({ config })))).toEqual(alone);
  expect(await Promise.all([...renders].reverse().map((render) => render({ config })))).toEqual([...alone].reverse());
});

describe('renderPasswordReset', () => {
  it('renders the page of a link that logs in, when the address says so', async () => {
    const html = await renderPasswordReset({ tokenType: 'login' });
    expect(html).toContain('data-portico-widget="reset-link"');
    expect(html).toContain('Logging in...');
    expect(html).toContain('href="/portico/reset.css"');
    expect(html).not.toContain('<form');
  });

  it('leaves the suggestion of a passphrase out when the configuration does', async () => {
    const config = { passwordOptions: { suggestPassphrase: false } };
    expect(await renderPasswordReset({ config })).not.toContain('Suggest');
  });

  it('refuses what the mount call refuses, and another token type', async () => {
    await expect(renderPasswordReset({ config: { products: 'otp' } as never })).rejects.toThrow(ConfigError);
    await expect(renderPasswordReset({ tokenType: 'spent' } as never)).rejects.toThrow(
      /tokenType must be one of reset, login/u,
    );
    await expect(renderLogin({ tokenType: 'login' } as never)).rejects.toThrow(/tokenType is no option/u);
  });
});

it('an unknown widget is refused by name, for the style sheet, its hash and the plugin', async () => {
  const words = /widget must be one of login, reset, passkeys, consent, account/u;
  expect(() => widgetStylesheet({ widget: 'resett' } as never)).toThrow(words);
  await expect(inlineHashes({ widget: 'resett' } as never)).rejects.toThrow(words);
  expect(() => portico({ widget: 'resett' } as never)).toThrow(words);
});
