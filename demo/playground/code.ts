import type { Products } from 'portico';
import type { Choices } from '../parts/choices.ts';
import type { DemoConfig } from '../parts/config.ts';
import { productsOf } from './edits.ts';
import { Code, print } from './print.ts';

export type CodeKind = 'npm' | 'react' | 'script';

export interface CodeOptions {
  readonly choices: Choices;
  readonly server: DemoConfig;
  readonly standalone: boolean;
}

/** What a host writes for the choices: code that runs as it is, once the package is there. */
export function codeFor(kind: CodeKind, options: CodeOptions): string {
  return { npm: npmCode, react: reactCode, script: scriptCode }[kind](options);
}

/** The page of the host's own that mails and social logins lead to. */
const page = (path: string) => new Code(`\`\${location.origin}${path}\``);

/** The configuration, with pages for what the chosen products send. */
function configOf({ choices: { config } }: CodeOptions): object {
  const products = productsOf(config);
  const { emailMagicLinksOptions, oauthOptions, otpOptions, passwordOptions, ...rest } = config;
  const { providers = [], ...social } = oauthOptions ?? {};
  const login = { loginRedirectURL: page('/authenticate') };
  const both = { ...login, signupRedirectURL: page('/authenticate') };
  const reset = { ...login, resetPasswordRedirectURL: page('/reset') };
  const uses = (product: Products, options: object) => (products.includes(product) ? options : {});
  return {
    products,
    ...uses('oauth', { oauthOptions: { providers, ...both, ...social } }),
    ...uses('emailMagicLinks', { emailMagicLinksOptions: { ...both, ...emailMagicLinksOptions } }),
    ...uses('otp', { otpOptions }),
    ...uses('passwords', { passwordOptions: { ...reset, ...passwordOptions } }),
    ...rest,
  };
}

/** What stands beside the configuration, where it is not what it would be anyway. */
function othersOf({ choices: { styles, strings, language } }: CodeOptions): Readonly<Record<string, unknown>> {
  const chosen = (value: object) => (Object.keys(value).length > 0 ? value : undefined);
  const others = {
    styles: chosen(styles),
    strings: chosen(strings),
    language: language === 'en' ? undefined : language,
  };
  return Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
}

function clientOf(name: string, { server }: CodeOptions): string {
  return `const client = new ${name}(${print(server.publicToken)}, {
  // The local provider; leave it out for the hosted service.
  endpointOptions: ${print({ testApiDomain: server.provider })},
});`;
}

const mountOf = (options: CodeOptions): string =>
  `client.mountLogin(${print({
    elementId: '#login',
    config: configOf(options),
    ...othersOf(options),
    callbacks: new Code('{\n    onEvent: ({ type, data }) => console.log(type, data),\n  }'),
  })});`;

function npmCode(options: CodeOptions): string {
  return `import { PorticoUIClient } from '${options.standalone ? 'portico/standalone' : 'portico'}';

${clientOf('PorticoUIClient', options)}

// The page needs <div id="login"></div>.
${mountOf(options)}

client.session.onChange((session) => console.log(session ? 'signed in' : 'signed out'));
`;
}

function reactCode(options: CodeOptions): string {
  const others = Object.entries(othersOf(options));
  const consts = others.map(([name, value]) => `const ${name} = ${print(value)};\n`);
  const props = ['client', 'config', ...others.map(([name]) => name)].map((name) => ` ${name}={${name}}`);
  return `import { PorticoUIClient, type LoginConfig } from 'portico';
import { Login, PorticoProvider, useSession } from 'portico/react';

${clientOf('PorticoUIClient', options)}

const config: LoginConfig = ${print(configOf(options))};
${consts.join('')}
function Page() {
  const { session } = useSession();
  return session ? <p>You are signed in.</p> : <Login${props.join('')} />;
}

export function App() {
  return (
    <PorticoProvider client={client}>
      <Page />
    </PorticoProvider>
  );
}
`;
}

/** In a script of its own, as a page with a strict policy needs it, it is the part between the tags. */
function scriptCode(options: CodeOptions): string {
  const script = `${clientOf('Portico.PorticoUIClient', options)}\n${mountOf(options)}`;
  return `<div id="login"></div>

<!-- Copy the folder node_modules/portico/dist to your site as /portico. -->
<script src="/portico/portico.js"></script>
<script>
${script.replace(/^(?=.)/gmu, '  ')}
</script>
`;
}
