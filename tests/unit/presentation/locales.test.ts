import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SDKAPIUnreachableError, type SDKAPIError, type UnreachableReason } from '#domain/errors.ts';
import { LANGUAGES, directionOf, languageOf } from '#domain/widget/language.ts';
import { REFUSAL_TEXTS, TRANSLATED_TEXTS } from '#domain/rules/refusal-texts.ts';
import { walletError } from '#domain/wallets/wallet-errors.ts';
import { errorTexts } from '#presentation/messages/en/errors.ts';
import { accountTextsOf, loadAccountTexts } from '#presentation/messages/account-texts.ts';
import { loadLocale, localeOf, overLocale } from '#presentation/messages/language.ts';

type Texts = Readonly<Record<string, string>>;

const FOLDER = '../../../src/presentation/messages';
const inEnglish = import.meta.glob<Record<string, Texts>>('../../../src/presentation/messages/en/*.ts', {
  eager: true,
});
const inLocales = import.meta.glob<Record<string, Texts>>('../../../src/presentation/messages/*/login.ts', {
  eager: true,
});

const ofAccount = import.meta.glob<Record<string, Texts>>('../../../src/presentation/messages/*/account.ts', {
  eager: true,
});

const ofFactors = import.meta.glob<Record<string, Texts>>('../../../src/presentation/messages/*/factors.ts', {
  eager: true,
});

const REASONS: readonly UnreachableReason[] = ['network', 'invalid-json', 'invalid-response', 'captcha-required'];
const ENGLISH: Texts = Object.assign(
  {},
  ...Object.values(inEnglish).flatMap((file) => Object.values(file)),
  errorTexts,
  // In English these are the messages of the server.
  ...Object.entries(TRANSLATED_TEXTS).map(([type, text]) => ({ [`error.${type}`]: text })),
  {
    'error.login_required.new_method': '',
    // An error of the wallet port, whose message is English.
    'error.crypto_wallet_request_pending': (walletError({ code: -32002 }) as SDKAPIError).error_message,
    'error.gone': REFUSAL_TEXTS.crypto_wallet_not_found,
    'error.app': '{message}',
  },
  ...REASONS.map((reason) => ({ [`unreachable.${reason}`]: new SDKAPIUnreachableError(reason).message })),
) as Texts;

const OTHERS = LANGUAGES.filter((language) => language !== 'en');
const textsOf = (language: string): Texts => ({
  ...inLocales[`${FOLDER}/${language}/login.ts`]?.[language],
  ...ofAccount[`${FOLDER}/${language}/account.ts`]?.[language],
  ...ofFactors[`${FOLDER}/${language}/factors.ts`]?.[language],
});
const placeholders = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name!).sort();

/** Words that are the same in that language, or an address that is. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  de: ['phone.placeholder', 'tab.whatsapp'],
  es: ['phone.placeholder', 'tab.whatsapp', 'logout.no'],
  fr: ['phone.placeholder', 'tab.whatsapp'],
  ja: ['phone.placeholder', 'tab.whatsapp', 'tab.sms', 'email.placeholder', 'watermark'],
  ar: ['phone.placeholder', 'email.placeholder'],
  pt: ['phone.placeholder', 'tab.whatsapp'],
  zh: ['phone.placeholder', 'tab.whatsapp', 'email.placeholder', 'watermark'],
};

/** How the language does not speak to people here. */
const WRONG_MANNER: Readonly<Record<string, RegExp>> = {
  de: /(?<!\p{L})(?:du|dich|dir|dein\p{L}*)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:usted|ustedes|su|sus)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:tu|toi|ton|ta|tes)(?!\p{L})/iu,
  ja: /(?:だ|である|しろ|せよ)。/u,
  ar: /[\u066A-\u066D\u06D4]|\?|,|;/u,
  // Words of Portugal that Brazil does not use, beside the familiar address.
  pt: /(?<!\p{L})(?:tu|teu|tua|teus|tuas|palavra-passe|ecrã|telemóvel|utilizador|registad[oa]s?)(?!\p{L})/iu,
  // The distant 您, traditional characters, and marks of another script after a Chinese one.
  zh: /[您帳號碼驗證請輸連結這個們戶錄開關應會]|\p{Script=Han}[,.:;?!()]|[,.:;?!()]\p{Script=Han}/u,
};

const OWN_SCRIPT: Readonly<Record<string, RegExp>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ar: /\p{Script=Arabic}/u,
  zh: /\p{Script=Han}/u,
};

describe.each(OTHERS)('The texts in %s', (language) => {
  const texts = textsOf(language);
  // The subtitle is of the host alone: it has no text of ours.
  const entries = Object.entries(texts).filter(([key]) => key !== 'main.subtitle');

  it('are every text there is, and no other', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(ENGLISH).sort());
  });

  it('have the placeholders of the English', () => {
    const wrong = entries.filter(
      ([key, text]) => placeholders(text).join() !== placeholders(ENGLISH[key] ?? '').join(),
    );
    expect(wrong).toEqual([]);
  });

  it('are none of them English still', () => {
    const left = entries.filter(([key, text]) => text === ENGLISH[key] && !SAME[language]?.includes(key));
    expect(left).toEqual([]);
  });

  it('use one form of address, in the script of the language', () => {
    expect(entries.filter(([, text]) => WRONG_MANNER[language]?.test(text))).toEqual([]);
    const script = OWN_SCRIPT[language];
    const foreign = entries.filter(([key, text]) => script && !script.test(text) && !SAME[language]?.includes(key));
    expect(foreign).toEqual([]);
  });

  it('are written with care: no blank ends, no double blanks, no straight marks where the language has its own', () => {
    expect(entries.filter(([, text]) => text !== text.trim() || text === '' || text.includes('  '))).toEqual([]);
    if (language === 'fr') expect(entries.filter(([, text]) => /(?<![\u00A0\u202F])[!?;»]|'/u.test(text))).toEqual([]);
    if (language === 'es') expect(entries.filter(([, text]) => text.includes('!') !== text.includes('¡'))).toEqual([]);
    if (language === 'es') expect(entries.filter(([, text]) => text.includes('?') !== text.includes('¿'))).toEqual([]);
  });

  it('do not speak of formats and tokens, which only developers know', () => {
    expect(entries.filter(([, text]) => /E\.164|JSON|OAuth|token|jeton|トークン|令牌/iu.test(text))).toEqual([]);
  });

  it('weigh at most 12 KiB in their three files', () => {
    expect(gzipSync(JSON.stringify(texts)).length).toBeLessThanOrEqual(12 * 1024);
  });

  it('arrive when they are requested', async () => {
    await loadLocale(language);
    const login = inLocales[`${FOLDER}/${language}/login.ts`]?.[language];
    expect(localeOf(language)).toBe(login);
    await loadAccountTexts(language);
    expect(accountTextsOf(language)).toBe(ofAccount[`${FOLDER}/${language}/account.ts`]?.[language]);
  });
});

describe('A language', () => {
  it('is found by its tag', () => {
    expect(['de', 'de-AT', 'DE_ch', ' fr-CA ', 'ar-EG-u-nu-latn', 'ja-JP'].map(languageOf)).toEqual([
      'de',
      'de',
      'de',
      'fr',
      'ar',
      'ja',
    ]);
    expect(['pt', 'pt-BR', 'pt_PT', 'pt-AO'].map(languageOf)).toEqual(['pt', 'pt', 'pt', 'pt']);
    expect(['', 'nl', 'deu', '__proto__', 'e', 'x-de'].map(languageOf)).toEqual([null, null, null, null, null, null]);
  });

  it('is Chinese for tags of simplified characters alone', () => {
    const simplified = ['zh', 'zh-CN', 'zh_SG', 'zh-Hans', 'zh-Hans-CN', 'zh-Hans-HK', 'ZH-hans-tw'];
    expect(simplified.map(languageOf)).toEqual(simplified.map(() => 'zh'));
    const traditional = ['zh-TW', 'zh-HK', 'zh_MO', 'zh-Hant', 'zh-Hant-CN', 'zh-hant-tw'];
    expect(traditional.map(languageOf)).toEqual(traditional.map(() => null));
  });

  it('runs from its own side', () => {
    expect(LANGUAGES.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar']);
  });

  it('has a folder, and each folder has the same files', () => {
    const files = Object.keys(import.meta.glob('../../../src/presentation/messages/*/*.ts'));
    const names = ['account', 'consent', 'errors', 'factors', 'login'];
    expect(files.filter((path) => !path.startsWith(`${FOLDER}/en/`)).sort()).toEqual(
      [...OTHERS].sort().flatMap((language) => names.map((name) => `${FOLDER}/${language}/${name}.ts`)),
    );
  });

  it('lies under a host’s own strings, and under nothing else', async () => {
    await loadLocale('de');
    const strings = { 'main.title': 'Servus', back: 7 as never };
    expect(overLocale('de', strings)).toMatchObject({ 'main.title': 'Servus', back: 'Zurück', done: 'Erledigt.' });
    expect(overLocale('en', strings)).toEqual({ 'main.title': 'Servus' });
    expect(overLocale('en', JSON.parse('{"__proto__":{"done":"x"}}')).done).toBeUndefined();
    expect(overLocale('en', Object.create({ done: 'x' })).done).toBeUndefined();
  });
});
