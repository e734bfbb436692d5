/**
 * Login forms of other products, each with its own API, for pictures (`npm run pictures`). Like ours, they show a field for an email
 * address and three social logins. Clerk's marks are pictures of its own host, so they are missing.
 */
import { API } from './host-pages.ts';

export interface Peer {
  readonly name: string;
  readonly packages: readonly string[];
  readonly source: string;
  /** Versions of packages below those, where the registry lacks the one that a package wants. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Folders below `node_modules` whose scripts the page loads at run time. */
  readonly scripts?: readonly string[];
}

const HANKO = `import { register } from '@teamhanko/hanko-elements';
${API}
await register(api + '/hanko');
document.getElementById('root').append(document.createElement('hanko-login'));`;

const LOCK = `import { Auth0LockPasswordless } from 'auth0-lock';
${API}
const options = {
  configurationBaseUrl: api + '/auth0', container: 'root', passwordlessMethod: 'link',
  theme: { logo: 'data:,' }, rememberLastLogin: false, auth: { redirectUrl: location.origin + '/a', sso: false },
};
new Auth0LockPasswordless('bench', 'bench.example', options).show();`;

const SUPABASE = `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from '@supabase/supabase-js';
import { Auth } from '@supabase/auth-ui-react';
import { ThemeSupa } from '@supabase/auth-ui-shared';
${API}
const supabaseClient = createClient(api + '/supabase', 'bench');
const props = {
  supabaseClient, providers: ['google', 'azure', 'apple'], view: 'magic_link', appearance: { theme: ThemeSupa },
  redirectTo: location.origin + '/a',
};
createRoot(document.getElementById('root')).render(createElement(Auth, props));`;

// Its pages load two scripts, which find their chunks beside them.
const CLERK = `${API}
const load = (src, data) => new Promise((resolve, reject) => {
  const script = Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject });
  Object.assign(script.dataset, data);
  document.head.append(script);
});
const clerkPublishableKey = 'pk_live_' + btoa('clerk.bench.example$');
await Promise.all([
  load('./clerk.browser.js', { clerkPublishableKey, clerkProxyUrl: api + '/clerk' }),
  load('./ui.browser.js'),
]);
await Clerk.load({ ui: { ClerkUI: __internal_ClerkUICtor }, telemetry: false });
Clerk.mountSignIn(document.getElementById('root'), { routing: 'hash', withSignUp: true });`;

export const PRODUCTS: readonly Peer[] = [
  {
    name: 'Clerk, clerk-js 6.40.0',
    packages: ['@clerk/clerk-js@6.40.0', '@clerk/ui@1.36.0'],
    scripts: ['@clerk/clerk-js/dist', '@clerk/ui/dist'],
    overrides: { '@clerk/localizations': '4.18.0' },
    source: CLERK,
  },
  { name: 'Hanko, hanko-elements 2.7.0', packages: ['@teamhanko/hanko-elements@2.7.0'], source: HANKO },
  { name: 'Auth0, auth0-lock 14.3.0', packages: ['auth0-lock@14.3.0'], source: LOCK },
  {
    name: 'Supabase, auth-ui-react 0.4.7',
    packages: [
      '@supabase/auth-ui-react@0.4.7',
      '@supabase/auth-ui-shared@0.1.8',
      '@supabase/supabase-js@2.119.1',
      'react@18.3.1',
      'react-dom@18.3.1',
    ],
    source: SUPABASE,
  },
];
