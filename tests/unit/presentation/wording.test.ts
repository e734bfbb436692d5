import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '#domain/widget/language.ts';
import { listedIf } from '../../soak-tests.ts';

type Tree = { readonly [key: string]: string | Tree };
type Entry = readonly [key: string, text: string];

const files = import.meta.glob<Record<string, Tree>>(
  ['../../../src/presentation/messages/*/*.ts', '../../../provider/src/messages/texts/{languages,notices}/*.ts'],
  { eager: true },
);

const leaves = (tree: Tree, path = ''): readonly Entry[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as const] : leaves(value, `${path}${key}.`),
  );

/** Everything that people read in a language: the widgets' texts, mails and text messages. A value stands as `×`. */
const textsIn = (language: Language): readonly Entry[] =>
  Object.entries(files)
    .filter(([path]) => path.endsWith(`/${language}.ts`) || path.includes(`/${language}/`))
    .flatMap(([, exports]) => Object.values(exports).flatMap((tree) => leaves(tree)))
    .map(([key, text]) => [key, text.replaceAll(/\{\w+\}/gu, '×')]);

/** English texts with capitals that the specification gives to the letter, and the warnings that a server sends in these words. */
const GIVEN = new Set([
  'consent.theApp',
  'error.oauth_token_not_found',
  'error.passkey_already_registered',
  'error.passkey_not_created',
  'passkey.login',
  'passkeyConfirmation.text',
  'passkeys.another',
  'passkeys.list',
  'passkeys.noUser',
  'passkeys.start.create',
  'passkeys.start.subtitle',
  'passkeys.start.title',
  'passwordLogin.forgot',
  'passwordLogin.title',
  'wallets.others',
]);
/** English texts with three dots or a straight mark, which the specification gives to the letter. */
const GIVEN_MARKS = new Set([
  'consent.ungrantable.header',
  'cryptoConnect.title',
  'cryptoSignMessage.title',
  'otp.missing',
  'otp.verifying',
  'passkeys.start.subtitle',
  'passwordRequired.text',
  'passwordReset.loggingIn',
]);
const isGiven = (language: Language, key: string): boolean =>
  language === 'en' && (GIVEN.has(key) || key.startsWith('feedback.'));

/** Fragments, which stand inside a sentence or beside a divider. */
const FRAGMENT = /^(?:main\.or|password\.or|email\.placeholder|account\.totp\.app|.*\.place|account\.factor\..*)$/u;

/** Names keep their capitals in every language. */
const NAMES =
  /(?<![A-Za-z\d])(?:SMS|WhatsApp|Google|Microsoft|QR|JSON|OAuth|E\.164|START|Ethereum|Solana|UTC|Internet|[A-Z]\d+)(?![A-Za-z\d])/gu;

const INNER_CAPITAL = /(?<=[\p{L}\d×,;)’”»-][ \u00A0\p{Pi}]*|[ \u00A0’-])\p{Lu}[\p{L}\d]*/u;

/** The text without names, without the titles of buttons that it quotes, and each of its sentences apart. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .replaceAll(NAMES, '×')
    .replaceAll(/[“«„]\u00A0?\p{Lu}[^”»“]*[”»“]/gu, '×')
    .split(/(?<=[.!?:…])[ \u00A0]+(?=[\p{Lu}¿¡])/u);

const isSentenceCase = ([key, text]: Entry): boolean =>
  sentencesOf(text).every((sentence, index) => {
    if (INNER_CAPITAL.test(sentence)) return false;
    return index > 0 || FRAGMENT.test(key) || !/^\p{Ll}/u.test(sentence);
  });

/** What another kind of the marks would be. */
const OTHER_MARKS: Readonly<Record<Language, RegExp>> = {
  en: /\.\.\.|["'„«»]/u,
  de: /\.\.\.|["'’”«»]|(?<! )…/u,
  es: /\.\.\.|["'’“”„]/u,
  fr: /\.\.\.|["'“”„]|«(?!\u00A0)|(?<!\u00A0)»/u,
  ja: /\.\.\.|["'’“”«»?!]|(?<!\d):(?!\d)|(?<!\p{Script=Han}|^)[(]/u,
  ar: /\.\.\.|["'’“”„]/u,
  pt: /\.\.\.|["'’„«»]/u,
  zh: /\.\.\.|["'’«»「」?!]|(?<!\d):(?!\d)/u,
};

describe.each(LANGUAGES)('The words in %s', (language) => {
  const texts = textsIn(language);
  const ours = texts.filter(([key]) => !isGiven(language, key));

  it('are many', () => {
    expect(texts.length).toBeGreaterThan(300);
  });

  // German nouns begin with a capital; the rule for them is below.
  listedIf(language !== 'de', it)('have a capital where a sentence begins, and in names alone', () => {
    expect(ours.filter((entry) => !isSentenceCase(entry))).toEqual([]);
  });

  it('have marks of one kind', () => {
    const marked = ours.filter(([key]) => language !== 'en' || !GIVEN_MARKS.has(key));
    expect(marked.filter(([, text]) => OTHER_MARKS[language].test(text))).toEqual([]);
  });
});

/** The sources of the operators' pages, the pages of a development server, the demo and the refusals. */
const pages = import.meta.glob<string>(
  [
    '../../../provider/src/operation/operators/**/{*page,layout,words}.ts',
    '../../../provider/src/dev/*.ts',
    '../../../demo/**/*.{ts,html}',
    '../../../src/domain/rules/refusal.ts',
  ],
  { eager: true, query: '?raw', import: 'default' },
);

describe('The words of pages', () => {
  const COMMENTS = /\/\*[^]*?\*\/|<!--[^]*?-->|(?<=^|\s)\/\/.*$/gmu;
  const STRAIGHT = /.*(?:\p{L}'(?:s|t|re|ve|ll|d)\b(?!')|\p{Ll} ?\.\.\.(?![\p{L}[({])).*/gu;

  it('have curly marks and a true ellipsis', () => {
    expect(Object.keys(pages).length).toBeGreaterThan(50);
    const straight = Object.entries(pages).flatMap(([path, source]) =>
      [...source.replaceAll(COMMENTS, '').matchAll(STRAIGHT)].map(([line]) => `${path}: ${line.trim()}`),
    );
    expect(straight).toEqual([]);
  });
});

describe('The rules', () => {
  it('hold for each text that the specification does not give', () => {
    const english = textsIn('en').filter(([key]) => GIVEN.has(key));
    expect(english.map(([key]) => key).sort()).toEqual([...GIVEN].sort());
    expect(english.filter(isSentenceCase)).toEqual([]);
    const marked = textsIn('en').filter(([key]) => GIVEN_MARKS.has(key));
    expect(marked.map(([key]) => key).sort()).toEqual([...GIVEN_MARKS].sort());
    expect(marked.filter(([, text]) => !OTHER_MARKS.en.test(text))).toEqual([]);
  });

  it('are seen to be broken', () => {
    const wrong = ['Log In', 'Create a Passkey', 'continue', 'Done. Close The page.', 'Iniciar Sesión', 'The ’Word'];
    expect(wrong.filter((text) => isSentenceCase(['x', text]))).toEqual([]);
    const right = ['Press “Create a passkey” now. Then wait.', 'Continue with WhatsApp', '× on ×', 'Error: Try again'];
    expect(right.filter((text) => !isSentenceCase(['x', text]))).toEqual([]);
  });
});

describe('The words in German', () => {
  it('have a capital in nouns alone: no word is written in both ways inside of sentences', () => {
    const inner = (start: RegExp): ReadonlySet<string> =>
      new Set(
        textsIn('de').flatMap(([, text]) =>
          sentencesOf(text)
            .flatMap((sentence) => sentence.split(/[^\p{L}-]+/u).slice(1))
            .filter((word) => start.test(word))
            .map((word) => word.toLowerCase()),
        ),
      );
    const [small, great] = [inner(/^\p{Ll}/u), inner(/^\p{Lu}/u)];
    // The formal address has a capital, and a verb after “zum” is a noun.
    const both = [...small].filter(
      (word) => great.has(word) && !/^(?:sie|ihr|ihre\p{L}*|ihnen|zurücksetzen)$/u.test(word),
    );
    expect(both).toEqual([]);
  });
});
