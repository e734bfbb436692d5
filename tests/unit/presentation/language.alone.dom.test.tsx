import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pendingLoads } from '#domain/code-loads.ts';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { languageChoice, localeOf } from '#presentation/messages/language.ts';
import type { Language } from '#domain/widget/language.ts';
import { INITIAL_STATE } from '#domain/screens/widget-state.ts';
import type { StringOverrides } from '#presentation/messages/catalogue.ts';
import { Widget } from '#presentation/Widget.tsx';
import { EMAIL_OTP } from '../../gallery/fixtures.ts';
import { PlayedModel } from './show.tsx';

/** Each language arrives when the test lets it. */
const { gates } = vi.hoisted(() => {
  const gate = () => {
    let open = (): void => {};
    let fail: (error: Error) => void = () => undefined;
    const opened = new Promise<void>((resolve, reject) => {
      open = resolve;
      fail = reject;
    });
    return { opened, open: () => open(), fail: () => fail(new Error('offline')) };
  };
  return { gates: { de: gate(), fr: gate(), ja: gate(), ar: gate() } };
});
const late = vi.hoisted(() => (name: 'de' | 'fr' | 'ja' | 'ar') => async (original: () => Promise<unknown>) => {
  await gates[name].opened;
  return original();
});
vi.mock('#presentation/messages/de/login.ts', late('de'));
vi.mock('#presentation/messages/fr/login.ts', late('fr'));
vi.mock('#presentation/messages/ja/login.ts', late('ja'));
vi.mock('#presentation/messages/ar/login.ts', late('ar'));

afterEach(cleanup);

function show(first: Language | undefined, strings?: StringOverrides) {
  const model = new PlayedModel(INITIAL_STATE);
  const element = (language: Language | undefined) => <Widget {...{ model, config: EMAIL_OTP, strings, language }} />;
  const { container, rerender } = render(element(first));
  const root = (): HTMLElement => container.querySelector('[data-portico]')!;
  return { model, root, speak: (language: Language) => rerender(element(language)) };
}

const heading = (): string | null => screen.getByRole('heading', { level: 1, hidden: true }).textContent;
const tick = (): Promise<void> => act(async () => void (await new Promise((resolve) => setTimeout(resolve, 20))));
const until = async (check: () => void): Promise<void> =>
  vi.waitFor(async () => {
    await tick();
    check();
  });

describe('The language', () => {
  it('is English at once unless another language is requested', () => {
    const { root } = show(undefined);
    expect(root().dataset['state']).toBe('ready');
    expect(heading()).toBe('Sign up or log in');
    expect(root()).toMatchObject({ lang: 'en', dir: 'ltr' });
  });

  it('of a watermark that keeps the English words is English', async () => {
    const { model, speak } = show('es');
    model.set({ bootstrap: { ...DEFAULT_BOOTSTRAP, displayWatermark: true } });
    const watermark = () => screen.getByRole('link', { hidden: true });
    const said = () => [watermark().textContent, watermark().getAttribute('lang')];
    await until(() => expect(said()).toEqual(['Con la tecnología de Portico', null]));
    speak('zh');
    await until(() => expect(said()).toEqual(['Powered by Portico', 'en']));
  });

  it('is left out if all that is known is that the host has custom texts', () => {
    const { root } = show(undefined, { 'main.title': 'Velkommen' });
    expect(root().hasAttribute('lang')).toBe(false);
    expect(root().hasAttribute('dir')).toBe(false);
  });

  it('shows nothing until the texts are there, then shows them; a host’s own lie over them', async () => {
    const { root } = show('de', { 'email.label': 'Adresse' });
    await tick();
    expect(root().dataset['state']).toBe('waiting');
    gates.de.open();
    await until(() => expect(root().dataset['state']).toBe('ready'));
    expect(root()).toMatchObject({ lang: 'de', dir: 'ltr' });
    expect(heading()).toBe('Registrieren oder anmelden');
    expect(screen.getByLabelText('Adresse')).toBeTruthy();
  });

  it('is English after three seconds of waiting, and stays so', async () => {
    const { root, model } = show('fr');
    await tick();
    // As for a load that takes longer than virtual time waits.
    pendingLoads.clear();
    await model.pass(2_999);
    expect(root().dataset['state']).toBe('waiting');
    await model.pass(1);
    expect(root()).toMatchObject({ lang: 'en', dir: 'ltr' });
    expect(root().dataset['state']).toBe('ready');
    gates.fr.open();
    await until(() => expect(localeOf('fr')).not.toBeNull());
    model.set({ loading: false });
    expect(heading()).toBe('Sign up or log in');
  });

  it('is English where the texts do not come', async () => {
    const { root } = show('ja');
    gates.ja.fail();
    await until(() => expect(root().dataset['state']).toBe('ready'));
    expect(heading()).toBe('Sign up or log in');
  });

  it('changes with a remount, without a blank moment', async () => {
    const { root, speak } = show('en');
    speak('ar');
    await tick();
    expect(root().dataset['state']).toBe('ready');
    expect(heading()).toBe('Sign up or log in');
    gates.ar.open();
    await until(() => expect(root()).toMatchObject({ lang: 'ar', dir: 'rtl' }));
    expect(screen.getByRole('textbox')).toMatchObject({ dir: 'ltr' });
    speak('de');
    expect(root()).toMatchObject({ lang: 'de', dir: 'ltr' });
    expect(heading()).toBe('Registrieren oder anmelden');
  });
});

describe('The host’s language option', () => {
  const warnings: string[] = [];
  const choose = languageChoice((message) => void warnings.push(message));

  it('is a tag, its first part, or nothing', () => {
    expect([undefined, 'en', 'de-AT', 'AR'].map(choose)).toEqual([undefined, 'en', 'de', 'ar']);
    expect(warnings).toEqual([]);
  });

  it('is English with one warning where there are no such texts', () => {
    expect(['tlh', 'tlh', 'tlh'].map(choose)).toEqual(['en', 'en', 'en']);
    expect(warnings).toEqual(['The language "tlh" is not supported; the widget is in English.']);
    expect(choose(7)).toBe('en');
  });

  it('is the page’s for auto, else the browser’s', () => {
    const browser = vi.spyOn(navigator, 'language', 'get').mockReturnValue('es-MX');
    document.documentElement.lang = '';
    expect(choose('auto')).toBe('es');
    document.documentElement.lang = 'fr-CA';
    expect(choose('auto')).toBe('fr');
    document.documentElement.lang = 'nl';
    expect(choose('auto')).toBe('en');
    document.documentElement.lang = '';
    browser.mockReturnValue(undefined as never);
    expect(choose('auto')).toBe('en');
  });
});
