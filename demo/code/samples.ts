import type { Products } from 'portico';
import type { Choices } from '../parts/choices.ts';
import type { DemoConfig } from '../parts/config.ts';
import { productsOf } from '../playground/edits.ts';
import { Code, print } from './print.ts';

export type SampleKind = 'vanilla' | 'react' | 'next' | 'vue' | 'script' | 'server';

export interface SampleOptions {
  readonly choices: Choices;
  readonly server: Pick<DemoConfig, 'provider' | 'publicToken' | 'projectId'>;
}

interface Sample {
  readonly label: string;
  /** A typical name of the file. */
  readonly file: string;
  readonly language: 'ts' | 'html';
  readonly write: (options: SampleOptions) => string;
}

/** A host's code for the choices, by framework. It runs unchanged once the package is installed. */
export const SAMPLES: Readonly<Record<SampleKind, Sample>> = {
  vanilla: { label: 'Vanilla', file: 'login.ts', language: 'ts', write: vanillaCode },
  react: { label: 'React', file: 'App.tsx', language: 'ts', write: reactCode },
  next: { label: 'Next', file: 'app/login/page.tsx', language: 'ts', write: nextCode },
  vue: { label: 'Vue', file: 'LoginWidget.vue', language: 'html', write: vueCode },
  script: { label: 'Script tag', file: 'login.html', language: 'html', write: scriptCode },
  server: { label: 'Server', file: 'server.ts', language: 'ts', write: serverCode },
};

/** The host's page to which emails and social logins lead. */
const pageOf = (site: string) => (path: string) => new Code(`\`\${${site}}${path}\``);

/** The configuration, with the pages that the chosen products need. */
function configOf({ choices: { config } }: SampleOptions, site = 'location.origin'): object {
  const page = pageOf(site);
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

/** The other options, if they differ from their defaults. */
function othersOf({ choices: { styles, strings, language } }: SampleOptions): Readonly<Record<string, unknown>> {
  const chosen = (value: object) => (Object.keys(value).length > 0 ? value : undefined);
  const others = {
    styles: chosen(styles),
    strings: chosen(strings),
    language: language === 'en' ? undefined : language,
  };
  return Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
}

const indented = (text: string, by: string): string => text.replace(/^(?=.)/gmu, by);

const newClient = (name: string, { server }: SampleOptions): string =>
  `new ${name}(${print(server.publicToken)}, {
  // The local provider; leave it out for the hosted service.
  apiUrl: ${print(server.provider)},
})`;

const callbacks = new Code('{\n    onEvent: ({ type }) => console.log(type),\n  }');

const mountOf = (options: SampleOptions): string =>
  `client.mountLogin(${print({ elementId: '#login', config: configOf(options), ...othersOf(options), callbacks })});`;

/** A page without a framework has no React, which the main entry expects from the host. */
function vanillaCode(options: SampleOptions): string {
  return `import { PorticoUIClient } from 'portico/standalone';

const client = ${newClient('PorticoUIClient', options)};

// The page needs <div id="login"></div>.
${mountOf(options)}

client.session.onChange((session) => console.log(session ? 'signed in' : 'signed out'));
`;
}

/** The constants of a component's file, and the component's own tag. */
function reactParts(options: SampleOptions, site?: string) {
  const others = Object.entries(othersOf(options));
  const consts = others.map(([name, value]) => `const ${name} = ${print(value)} as const;\n`).join('');
  const props = ['config', ...others.map(([name]) => name)].map((name) => ` ${name}={${name}}`).join('');
  const config = `const config: LoginConfig = ${print(configOf(options, site))};\n${consts}`;
  return { config, tag: `<Login${props} />` };
}

function reactCode(options: SampleOptions): string {
  const { config, tag } = reactParts(options);
  return `import { PorticoUIClient, type LoginConfig } from 'portico';
import { Login, PorticoProvider, useSession } from 'portico/react';

const client = ${newClient('PorticoUIClient', options)};

${config}
function Page() {
  const { session } = useSession();
  return session ? <p>You are signed in.</p> : ${tag};
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

/** The module runs on the server too, which has no location. */
function nextCode(options: SampleOptions): string {
  const { config, tag } = reactParts(options, 'SITE');
  const site = config.includes('${SITE}')
    ? "const SITE = process.env['NEXT_PUBLIC_SITE'] ?? 'http://localhost:3000';\n"
    : '';
  return `'use client';
import { PorticoUIClient, type LoginConfig } from 'portico';
import { Login, PorticoProvider, useSession } from 'portico/react';
import { useState } from 'react';

${site}${config}
// The client exists only in browsers. On the server the page renders its state before the session is known.
const makeClient = () =>
  typeof window === 'undefined'
    ? null
    : ${indented(newClient('PorticoUIClient', options), '      ').trimStart()};

function SignIn() {
  const { session } = useSession();
  return session ? <p>You are signed in.</p> : ${tag};
}

export default function LoginPage() {
  const [client] = useState(makeClient);
  return (
    <PorticoProvider client={client}>
      <SignIn />
    </PorticoProvider>
  );
}
`;
}

function vueCode(options: SampleOptions): string {
  return `<script setup lang="ts">
import { PorticoUIClient } from 'portico/standalone';
import { onMounted, onUnmounted } from 'vue';

const client = ${newClient('PorticoUIClient', options)};
let widget: ReturnType<typeof client.mountLogin> | undefined;

onMounted(() => {
  widget = ${indented(mountOf(options), '  ').trimStart()}
});
onUnmounted(() => widget?.unmount());
</script>

<template>
  <div id="login"></div>
</template>
`;
}

/** A page with a strict policy needs a separate script file, which contains the part between the tags. */
function scriptCode(options: SampleOptions): string {
  const script = `const client = ${newClient('Portico.PorticoUIClient', options)};\n${mountOf(options)}`;
  return `<div id="login"></div>

<!-- Copy the folder node_modules/portico/dist/script to your site as /portico. -->
<script src="/portico/portico.js"></script>
<script>
${indented(script, '  ')}
</script>
`;
}

/** A hidden element protects nothing: the server checks the session of each request, for every login method. */
function serverCode({ server }: SampleOptions): string {
  const { projectId, provider, publicToken } = server;
  return `import { Hono } from 'hono';
import { createVerifier } from 'portico/server';
import { requireAuth } from 'portico/server/hono';

const verifier = createVerifier(${print({ projectId, apiUrl: provider, publicToken }, '', 60)});

export const app = new Hono();

// Responds with 401 when signed out, and with 403 without the right to read documents.
const permission = { resource_id: 'documents', action: 'read' };
app.get('/documents', requireAuth(verifier, { permission }), (c) => {
  return c.json({ reader: c.get('auth').user_id });
});
`;
}
