/** The clients of the comparison: installed by name into a scratch folder, each alone on its page. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { API, builtByVite, CONFIG, TOKEN, type BuiltPage } from './host-pages.ts';
import type { Peer } from './product-peers.ts';

const REACT = ['react@19.3.1', 'react-dom@19.3.1'];
// The only option that accepts a plain http URL for the API. It is not in their types.
const OPTIONS = '{ endpoints: { testAPIURL: api, liveAPIURL: api } }';

/** A form of the same look without a client: the cost of React alone. */
const BARE_FORM = `import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';
const social = ['Google', 'Microsoft', 'Apple'].map((name) =>
  h('button', { type: 'button', key: name }, 'Continue with ', name));
function Form() {
  const [email, setEmail] = useState('');
  return h('form', { style: { width: 400, fontFamily: 'Arial', display: 'grid', gap: 12 } },
    h('h1', null, 'Sign up or log in'), social,
    h('input', { type: 'email', value: email, onChange: (event) => setEmail(event.target.value) }),
    h('button', { disabled: email === '' }, 'Continue with email'));
}
createRoot(document.getElementById('root')).render(h(Form));`;

/** The clients that are measured. The first one is the base of the comparison. */
export const PEERS: readonly Peer[] = [
  {
    name: '@stytch/vanilla-js 5.37.1',
    packages: ['@stytch/vanilla-js@5.37.1'],
    source: `import { StytchUIClient } from '@stytch/vanilla-js';
${API}
new StytchUIClient('${TOKEN}', ${OPTIONS}).mountLogin({ elementId: '#root', config: ${CONFIG} });`,
  },
  {
    name: '@stytch/vanilla-js 6.3.0',
    packages: ['@stytch/vanilla-js@6.3.0'],
    // Its mountLogin() shows nothing before a second call; its guide says to use the element.
    source: `import { Products, StytchClient, StytchUI } from '@stytch/vanilla-js';
${API}
customElements.define('stytch-ui', StytchUI);
const element = document.createElement('stytch-ui');
const config = { ...${CONFIG}, products: [Products.emailMagicLinks, Products.oauth] };
element.render({ client: new StytchClient('${TOKEN}', ${OPTIONS}), config });
document.getElementById('root').append(element);`,
  },
  {
    name: '@stytch/react 20.1.0',
    packages: ['@stytch/react@20.1.0', ...REACT],
    source: `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createStytchClient, Products, StytchLogin, StytchProvider } from '@stytch/react';
${API}
const client = createStytchClient('${TOKEN}', ${OPTIONS});
const config = { ...${CONFIG}, products: [Products.emailMagicLinks, Products.oauth] };
const login = createElement(StytchLogin, { config });
const provider = createElement(StytchProvider, { stytch: client, assumeHydrated: false }, login);
createRoot(document.getElementById('root')).render(provider);`,
  },
  { name: 'React 19.3.1, a bare form', packages: REACT, source: BARE_FORM },
];

async function install(folder: string, { packages, overrides }: Peer): Promise<void> {
  const stamp = join(folder, 'installed.json');
  const wanted = JSON.stringify(packages);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', overrides }));
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', '--legacy-peer-deps'];
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: folder });
  writeFileSync(stamp, wanted);
}

/** Makes the page of a peer, whose packages are installed in `folder`. */
async function peerPage({ name, source, scripts = [] }: Peer, folder: string, out: string): Promise<BuiltPage> {
  const page = await builtByVite(name, source, { root: join(folder, 'page'), out });
  for (const place of scripts.map((path) => join(folder, 'node_modules', path)))
    for (const file of readdirSync(place).filter((one) => one.endsWith('.js')))
      cpSync(join(place, file), join(page.folder, file));
  return page;
}

/** Installs missing packages in the scratch folder, and makes the pages of the peers. */
export async function peerPages(
  scratch: string,
  out: string,
  say: (line: string) => void,
  peers: readonly Peer[] = PEERS,
): Promise<BuiltPage[]> {
  const pages: BuiltPage[] = [];
  for (const peer of peers) {
    say(peer.name);
    const folder = join(scratch, peer.name.replaceAll(/[^\w.-]+/g, '_'));
    await install(folder, peer);
    pages.push(await peerPage(peer, folder, out));
  }
  return pages;
}
