/**
 * The reference of a host's options (`docs/configuration.md`), generated from the types and their docstrings.
 *
 * `npx jiti scripts/config-reference.ts --write` writes the page; a test compares the page with the types.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type ESTree, type ParseResult } from 'vite';
import { isMain, ROOT } from './lib/root.mjs';

const PAGE = 'docs/configuration.md';

/** The sections of the page, in order: a heading, the file and the interface. `of` selects a field that is an object. */
const SECTIONS: readonly (readonly [title: string, file: string, name: string])[] = [
  ['The client', 'src/composition/client.ts', 'ClientOptions'],
  ['Hosts and domains: `endpointOptions`', 'src/domain/project/endpoints.ts', 'EndpointOptions'],
  ['Cookies: `cookieOptions`', 'src/application/session/cookie-options.ts', 'CookieOptions'],
  ['Every mount', 'src/composition/mount.tsx', 'MountOptions'],
  ['`mountLogin`', 'src/composition/ui-client.ts', 'MountLoginOptions'],
  ['`mountResetPassword`', 'src/composition/ui-client.ts', 'MountResetPasswordOptions'],
  ['`mountPasskeyRegistration`', 'src/composition/ui-client.ts', 'MountPasskeyRegistrationOptions'],
  ['`mountAccount`', 'src/composition/ui-client.ts', 'MountAccountOptions'],
  ['`mountIdentityProvider`', 'src/application/widget/consent-options.ts', 'IdentityProviderOptions'],
  ['`config`', 'src/domain/widget/widget-config.ts', 'LoginConfig'],
  ['`config.emailMagicLinksOptions`', 'src/domain/widget/widget-config.ts', 'EmailMagicLinksOptions'],
  ['`config.otpOptions`', 'src/domain/widget/widget-config.ts', 'OTPOptions'],
  ['`config.oauthOptions`', 'src/domain/widget/widget-config.ts', 'OAuthOptions'],
  ['`config.oauthOptions.providers[]`', 'src/domain/widget/widget-config.ts', 'OAuthProviderOptions'],
  ['`config.passkeyOptions`', 'src/domain/widget/widget-config.ts', 'PasskeyOptions'],
  ['`config.passwordOptions`', 'src/domain/widget/widget-config.ts', 'PasswordOptions'],
  ['`config.sessionOptions`', 'src/domain/widget/widget-config.ts', 'SessionOptions'],
  ['`config.accountOptions`', 'src/domain/widget/widget-config.ts', 'AccountOptions'],
  ['`styles`', 'src/domain/widget/theme.ts', 'StyleConfig'],
  ['`styles.container`', 'src/domain/widget/theme.ts', 'ContainerStyle'],
  ['`styles.buttons`: `primary`, `secondary`, `disabled`', 'src/domain/widget/theme.ts', 'ButtonStyle'],
  ['`styles.inputs`', 'src/domain/widget/theme.ts', 'InputStyle'],
  ['`callbacks`', 'src/application/widget/widget-options.ts', 'WidgetCallbacks'],
];

/** The last section: what the widgets report. */
const EVENTS = ['The events of `callbacks.onEvent`', 'src/application/widget/host-event.ts', 'HostEventData'] as const;

const HEAD = `# Configuration

Every option of the client and its widgets, and [their events](#the-events-of-callbacksonevent). This page is generated from the types
(\`npx jiti scripts/config-reference.ts --write\`). A question mark marks optional fields. Enumerations accept their strings as well as their
members, so \`'otp'\` and \`Products.otp\` are the same.
`;

/** The docstring right before a node, on one line, without its marks. */
function docOf(source: string, comments: ParseResult['comments'], node: ESTree.Node): string {
  const before = [...comments].reverse().find(({ end }) => end <= node.start);
  if (before?.type !== 'Block' || !before.value.startsWith('*')) return '';
  if (!/^\s*(export\s+)?$/.test(source.slice(before.end, node.start))) return '';
  return before.value
    .replace(/^\*+|\n\s*\*+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The source text of a type, without `readonly`, on one line. */
const typeText = (source: string, node: ESTree.Node): string =>
  source
    .slice(node.start, node.end)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\breadonly\s+/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^\| /, '')
    .trim();

type Row = Readonly<Record<'name' | 'type' | 'doc', string>>;

export function describeInterface(source: string, name: string): { about: string; rows: readonly Row[] } {
  const { program, comments, errors } = parseSync(`${name}.tsx`, source);
  if (errors[0] !== undefined) throw new Error(`${name}: ${errors[0].message}`);
  const declared = program.body
    .map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node))
    .filter((node) => node?.type === 'TSInterfaceDeclaration')
    .find(({ id }) => id.name === name);
  if (!declared) throw new Error(`There is no interface ${name}.`);
  // Fields of an extended interface in the same file come first.
  const inherited = declared.extends
    .map(({ expression }) => (expression.type === 'Identifier' ? expression.name : ''))
    .filter((base) => new RegExp(`^(?:export )?interface ${base}\\b`, 'm').test(source))
    .flatMap((base) => describeInterface(source, base).rows);
  const own = declared.body.body
    .filter((member) => member.type === 'TSPropertySignature')
    .map((member) => ({
      name: `${source.slice(member.key.start, member.key.end)}${member.optional ? '?' : ''}`,
      type: member.typeAnnotation ? typeText(source, member.typeAnnotation.typeAnnotation) : '',
      doc: docOf(source, comments, member),
    }));
  return { about: docOf(source, comments, declared), rows: [...inherited, ...own] };
}

interface Section {
  readonly title: string;
  readonly about: string;
  readonly rows: readonly Row[];
}

const sectionOf = ([title, file, name]: readonly [title: string, file: string, name: string]): Section => ({
  title,
  ...describeInterface(readFileSync(join(ROOT, file), 'utf8'), name),
});

/** The sections of the options, generated from the types. */
export const configSections = (): readonly Section[] => SECTIONS.map(sectionOf);

/** A section of options as Markdown. */
function markdownOf({ title, about, rows }: Section): string {
  const table = rows.map(({ name, type, doc }) => `| \`${name}\` | \`${cell(type)}\` | ${cell(doc)} |`);
  const body = ['| option | type | meaning |', '|---|---|---|', ...table].join('\n');
  return `## ${title}\n\n${about ? `${about}\n\n` : ''}${body}\n`;
}

/** The client's calls whose names differ from those of the wire. */
const CLIENT_CALLS: Readonly<Record<string, string>> = {
  'magicLinks.loginOrCreate': 'magicLinks.email.loginOrCreate',
  'otps.emailLoginOrCreate': 'otps.email.loginOrCreate',
  'cryptoWallets.authenticateStartPrimary': 'cryptoWallets.authenticateStart',
};

/** The types of the events' data that are neither replies nor written out. */
const DATA_WORDS: Readonly<Record<string, string>> = {
  EmptyData: 'empty',
  WithExtensionResults: '`client_extension_results` if [`passkeyOptions.extensions`](#configpasskeyoptions) is set',
  'Partial<AuthenticationReply>':
    'the reply of the call that took the proof, such as `totps.authenticate`; each field may be missing',
  '{ change: AccountNews }': '`change`: [the kind of the change](account.md)',
};

/** The data of an event in words that need no type of the package. */
export function dataInWords(type: string): string {
  const words = type.split(' & ').map((part) => {
    const [, endpoint] = /^ReplyFor<typeof ([\w.]+)>$/u.exec(part) ?? [];
    if (endpoint !== undefined) return `the reply of \`${CLIENT_CALLS[endpoint] ?? endpoint}\``;
    const fields = [...part.matchAll(/(\w+): string(?=;| \})/gu)].map(([, name]) => `\`${name}\``);
    const found = DATA_WORDS[part] ?? fields.join(', ');
    if (found === '') throw new Error(`The events' data of the type ${part} has no words: add them to DATA_WORDS.`);
    return found;
  });
  return words.join(', with ');
}

/** The section of the events, as Markdown. */
export function eventReference(): string {
  const { title, about, rows } = sectionOf(EVENTS);
  const table = rows.map(({ name, type, doc }) => `| \`${name}\` | ${dataInWords(type)} | ${cell(doc)} |`);
  return `## ${title}\n\n${about}\n\n${['| event | `data` | when |', '|---|---|---|', ...table].join('\n')}\n`;
}

export function configReference(): string {
  const options = configSections().map(markdownOf);
  return `${HEAD}\n${[...options, eventReference()].join('\n')}`;
}

if (isMain(import.meta.url)) {
  const text = configReference();
  if (process.argv.includes('--write')) writeFileSync(join(ROOT, PAGE), text);
  else process.stdout.write(text);
}
