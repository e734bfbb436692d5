/** The topics of each page, by its slug: its line in `llms.txt`. */
export const TOPICS: Readonly<Record<string, string>> = {
  overview:
    'The sign-in widget, the client without it and the server in short: how to try them, the entries of the package, their sizes, and all guides.',
  'getting-started':
    'Ten steps to a React app with a login, a protected page and a checked session; npm and script tags; redirect pages; refused addresses.',
  migrating: 'Moving an app from the reference client or another product: imports, differences, password hashes.',
  'coding-assistants': 'The documentation as text files and as a skill, for coding assistants.',
  react: 'Hooks, components and widgets of `portico/react`: the user, the session, permissions, roles, signing out.',
  'with-next': 'A Next app with guarded pages, route handlers and server functions, and the user in the first HTML.',
  'with-react-router':
    'A single-page app with a login route, routes for signed-in users, a page for one role, and the way back to the page that needed the login.',
  'with-vue': 'A Vue app: the client, the user as a reactive value, the widget, signing out.',
  'with-svelte': 'A Svelte 5 app: the client, the user as a store, the widget as an attachment, signing out.',
  'with-sveltekit': 'A SvelteKit app: sessions in its hooks, guarded pages and actions, the widget.',
  'with-astro': 'An Astro app: sessions in its middleware, pages that are rendered on demand, the widget.',
  'with-solid': 'A Solid app: the client, the user as a signal, the widget, signing out.',
  'with-tanstack-start':
    'A TanStack Start app: sessions on its server, server functions and loaders that check them, the widget.',
  'with-angular': 'An Angular app: the widget in a directive, the user as a signal, signing out.',
  'with-nuxt': 'A Nuxt app: sessions on its server, a middleware for pages of signed-in users, the widget.',
  'with-express': 'A page and an API on one Express server: the session of each request, guards, roles.',
  'with-fastify':
    'A single-page app whose API is on another origin, with Fastify or Nest: CORS, bearer tokens, guards.',
  'with-hono-at-the-edge':
    'A worker with Hono on `workerd`: a page with the widget, and sessions that are checked at the edge.',
  'with-electron':
    'A desktop app that signs in with the system’s browser: authorization code, refresh tokens, storage.',
  'with-expo': 'The client in React Native with its own ports and screens; what works there, and what does not.',
  embedding: 'The widget in a web component, in pages that a script swaps, and in a frame on another site.',
  'containers-and-phones':
    'Addresses in development: Docker Compose, Kubernetes, a phone in the same network, http on other hosts.',
  runtimes: 'The client in web workers, browser extensions and Node, and passing a session to them.',
  configuration: 'Every option of the client and of the widgets with its default, and the events of `onEvent`.',
  theming: 'The look of the widgets: presets, colours, fonts, dark mode, rules of your own CSS.',
  'texts-and-languages':
    'Languages of the widgets, texts of your own, email addresses in every script, language of messages.',
  'text-keys': 'Every text of the widgets by its key, for `strings`: English words and placeholders.',
  'social-logins':
    'Google, Microsoft, Apple, GitHub and others, any OpenID provider, One Tap: redirect URLs, secrets, trusted addresses, adding an account to a user.',
  passkeys:
    'Passkeys in the widget: login, offers after a login, sign-up with a passkey alone, secrets that a passkey derives.',
  passwords: 'Passwords in the widgets: rules and strength, suggested passphrases, the page of a reset.',
  account:
    'The account page for users: name, addresses, password, passkeys, second factor, sessions, connected apps, download and deletion of their data.',
  'your-other-app':
    'Your project as an OpenID provider: registering an app or a wiki, the consent page, sign-in and logout, libraries.',
  'command-line-tool': 'Sign-in on terminals, televisions and servers by device codes (RFC 8628).',
  'mcp-servers': 'An MCP server as a protected resource: project file, guard, scopes of tools, a whole server.',
  captcha: 'reCAPTCHA, Turnstile or hCaptcha before codes and links are sent.',
  'strict-csp':
    'Content Security Policies for the widget: files only, nonces and `strict-dynamic`, Next, further sources, Trusted Types.',
  prerender: 'The first screen of a widget in the page’s HTML, from a server, at the edge or in a build.',
  headless:
    'All login methods without the widget, the session, changing an email address, passkeys on several domains, roles, consent, errors.',
  server:
    'Checking sessions on your server: the verifier, guards for Hono, Express and Next, roles and permissions, the session JWT, cookies and CSRF, claims of your own.',
  'other-languages': 'Checking sessions and access tokens in Python, Go, Ruby, PHP, Java and C#.',
  'second-factor':
    'A required second factor: policy, login in two steps, recovery codes, lost factors, trusted browsers, step-up before an action.',
  'http-only-sessions':
    'Session tokens in HttpOnly cookies that scripts cannot read: setup, several hosts, what changes.',
  'bound-sessions':
    'Sessions bound to a device, so that stolen tokens are useless: Device Bound Session Credentials, keys of the page (DPoP).',
  'backend-api':
    'Calls of your server with a secret: users, roles, sessions, invitations, codes and links, passwords, apps, machine tokens; replacing a secret.',
  openapi:
    'Every HTTP call of the client API, the backend API and OAuth with its fields, replies and errors, and as OpenAPI 3.1.',
  agents:
    'AI assistants and other apps that nobody registered: metadata documents, registration, approval, tokens for one API, failed connections.',
  'sign-up':
    'Who may sign up: open, by domain, by invitation or closed; inviting people; roles of new users; what strangers can learn.',
  profile: 'Fields and terms that users are asked for: names, companies, acceptance of terms and their versions.',
  hooks: 'Your server decides about each sign-up and login before it happens: requests, answers, failures.',
  roles: 'Roles and permissions: the policy, giving roles to users, checks in the page and on the server.',
  people:
    'Managing users from the command line and a page: list, lock, import, export, delete; sign-in as a user; audit log.',
  'writing-an-adapter': 'Replacing the client’s storage, cookies, transport and other ports, with contract suites.',
  testing:
    'Tests of your login: fakes in memory, Vitest, Jest, Playwright with a provider and its inbox, time, faults, captchas, second factors.',
  inspector: 'A panel that shows what the client does: calls, events, session, screens.',
  'moving-from-stytch':
    'Moving the users of Stytch here: export, passwords, second factors, sessions, the switch and the way back.',
  'moving-from-auth0':
    'Moving the users of Auth0 here: export, password hashes, second factors, social accounts, the switch and the way back.',
  'moving-from-clerk':
    'Moving the users of Clerk here: its exports, passwords, second factors, social accounts, the switch and the way back.',
  'moving-from-firebase':
    'Moving the users of Firebase Authentication here: export, scrypt hashes, phone numbers, social accounts, the switch and the way back.',
  'moving-from-cognito':
    'Moving the users of Amazon Cognito here: export, passwords that are moved at the first login, the switch and the way back.',
  'moving-from-supabase':
    'Moving the users of Supabase Auth here: passwords, second factors, passkeys, social accounts and wallets.',
  'moving-from-better-auth':
    'Moving the users of Better Auth here: passwords, second factors, passkeys, social accounts and wallets.',
  'moving-from-next-auth': 'Moving the users of Auth.js (NextAuth) here: accounts, passwords, passkeys.',
  'moving-from-keycloak':
    'Moving the users of a Keycloak realm here: passwords, second factors, passkeys and social accounts.',
  'moving-from-kratos':
    'Moving the identities of Ory Kratos here: passwords, second factors, passkeys and social accounts.',
  'moving-sessions': 'People stay signed in when an app moves from Clerk, Auth0, Firebase, Supabase or Stytch.',
  'old-passwords':
    'Passwords whose hashes cannot be exported, such as those of Cognito or LDAP, are checked and moved at the first login.',
  provider:
    'The server: every field of the project file, options, PKCE, limits of requests and messages, keys and their rotation, webhooks, database, upgrades, OAuth endpoints.',
  'self-hosting':
    'From nothing to a login by email on your own server: installation, project file, key, mail server, several projects.',
  messages:
    'Emails and text messages: mail server, languages, notices of changes, templates, Twilio and other gateways.',
  'behind-a-proxy':
    'The provider behind nginx, Caddy or another proxy with TLS: trusted proxies, addresses, paths that must not be public.',
  'several-machines':
    'Several provider processes on one PostgreSQL database: rolling restarts, upgrades, connections, outages.',
  scaling: 'Sizing for up to millions of users: measurements, bottlenecks, splitting, replicas, regions.',
  operating:
    'Running the provider: logs, health, metrics and alerts, audit stream, settings without a restart, costs of text messages, containers, systemd, what to do when something fails.',
  backups: 'Copying and restoring the data of a provider.',
  'threat-model': 'Threats, the defence against each, and the tests of that defence.',
  asvs: 'Portico compared with the OWASP ASVS 5.0.0: authentication, sessions, tokens, OAuth.',
  accessibility: 'Conformance with WCAG 2.2 and EN 301 549: each criterion with its evidence, and what your page adds.',
  security: 'How to report a vulnerability.',
  architecture: 'Layers of the client and the server, the rules that they share, and where code belongs.',
  specification: 'The behaviour of the widget and the client in nine sections, and the departures from it.',
  changelog: 'What is new in each version.',
  contributing: 'Working on Portico: commands, tests, lists that tests compare.',
};
