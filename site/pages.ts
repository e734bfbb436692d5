/** The pages of the documentation by subject, in reading order for newcomers: the sidebar. */

export interface SitePage {
  /** The page's name in URLs. */
  readonly slug: string;
  /** The title in the sidebar, shorter than the heading. */
  readonly label: string;
  /** The topics of the page, in a line of `llms.txt`. */
  readonly about: string;
  /** The source file. */
  readonly file: string;
}

export interface PageGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

const page = (slug: string, label: string, about: string, file = `docs/${slug}.md`): SitePage => ({
  slug,
  label,
  about,
  file,
});

export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    title: 'Start',
    pages: [
      page(
        'overview',
        'What Portico is',
        'The sign-in widget, the client without it and the server in short: how to try them, the entries of the package, their sizes, and all guides.',
        'README.md',
      ),
      page(
        'getting-started',
        'Getting started',
        'Ten steps to a React app with a login, a protected page and a checked session; npm and script tags; redirect pages; refused addresses.',
      ),
      page(
        'migrating',
        'Moving from another client',
        'Moving an app from the reference client or another product: imports, differences, password hashes.',
      ),
      page(
        'coding-assistants',
        'Coding assistants',
        'The documentation as text files and as a skill, for coding assistants.',
      ),
    ],
  },
  {
    title: 'Frameworks',
    pages: [
      page(
        'react',
        'React',
        'Hooks, components and widgets of `portico/react`: the user, the session, permissions, roles, signing out.',
      ),
      page(
        'with-next',
        'Next',
        'A Next app with guarded pages, route handlers and server functions, and the user in the first HTML.',
      ),
      page(
        'with-react-router',
        'React Router',
        'A single-page app with a login route, routes for signed-in users, a page for one role, and the way back to the page that needed the login.',
      ),
      page('with-vue', 'Vue', 'A Vue app: the client, the user as a reactive value, the widget, signing out.'),
      page(
        'with-svelte',
        'Svelte',
        'A Svelte 5 app: the client, the user as a store, the widget as an attachment, signing out.',
      ),
      page(
        'with-sveltekit',
        'SvelteKit',
        'A SvelteKit app: sessions in its hooks, guarded pages and actions, the widget.',
      ),
      page(
        'with-astro',
        'Astro',
        'An Astro app: sessions in its middleware, pages that are rendered on demand, the widget.',
      ),
      page('with-solid', 'Solid', 'A Solid app: the client, the user as a signal, the widget, signing out.'),
      page(
        'with-tanstack-start',
        'TanStack Start',
        'A TanStack Start app: sessions on its server, server functions and loaders that check them, the widget.',
      ),
      page('with-angular', 'Angular', 'An Angular app: the widget in a directive, the user as a signal, signing out.'),
      page(
        'with-nuxt',
        'Nuxt',
        'A Nuxt app: sessions on its server, a middleware for pages of signed-in users, the widget.',
      ),
      page(
        'with-express',
        'Express',
        'A page and an API on one Express server: the session of each request, guards, roles.',
      ),
      page(
        'with-fastify',
        'Fastify or Nest on another origin',
        'A single-page app whose API is on another origin, with Fastify or Nest: CORS, bearer tokens, guards.',
      ),
      page(
        'with-hono-at-the-edge',
        'Hono at the edge',
        'A worker with Hono on `workerd`: a page with the widget, and sessions that are checked at the edge.',
      ),
      page(
        'with-electron',
        'Electron',
        'A desktop app that signs in with the system’s browser: authorization code, refresh tokens, storage.',
      ),
      page(
        'with-expo',
        'Expo and React Native',
        'The client in React Native with its own ports and screens; what works there, and what does not.',
      ),
      page(
        'embedding',
        'Web components and frames',
        'The widget in a web component, in pages that a script swaps, and in a frame on another site.',
      ),
      page(
        'containers-and-phones',
        'Containers and phones',
        'Addresses in development: Docker Compose, Kubernetes, a phone in the same network, http on other hosts.',
      ),
      page(
        'runtimes',
        'Workers, extensions, Node',
        'The client in web workers, browser extensions and Node, and passing a session to them.',
      ),
    ],
  },
  {
    title: 'Using the widget',
    pages: [
      page(
        'configuration',
        'Configuration',
        'Every option of the client and of the widgets with its default, and the events of `onEvent`.',
      ),
      page('theming', 'Theme', 'The look of the widgets: presets, colours, fonts, dark mode, rules of your own CSS.'),
      page(
        'texts-and-languages',
        'Texts and languages',
        'Languages of the widgets, texts of your own, email addresses in every script, language of messages.',
      ),
      page(
        'text-keys',
        'Keys of the texts',
        'Every text of the widgets by its key, for `strings`: English words and placeholders.',
      ),
      page(
        'social-logins',
        'Social logins',
        'Google, Microsoft, Apple, GitHub and others, any OpenID provider, One Tap: redirect URLs, secrets, trusted addresses, adding an account to a user.',
      ),
      page(
        'passkeys',
        'Passkeys',
        'Passkeys in the widget: login, offers after a login, sign-up with a passkey alone, secrets that a passkey derives.',
      ),
      page(
        'passwords',
        'Passwords',
        'Passwords in the widgets: rules and strength, suggested passphrases, the page of a reset.',
      ),
      page(
        'account',
        'The account page',
        'The account page for users: name, addresses, password, passkeys, second factor, sessions, connected apps, download and deletion of their data.',
      ),
      page(
        'your-other-app',
        'Sign in to your other app',
        'Your project as an OpenID provider: registering an app or a wiki, the consent page, sign-in and logout, libraries.',
      ),
      page(
        'command-line-tool',
        'A command line tool',
        'Sign-in on terminals, televisions and servers by device codes (RFC 8628).',
      ),
      page(
        'mcp-servers',
        'Guard an MCP server',
        'An MCP server as a protected resource: project file, guard, scopes of tools, a whole server.',
      ),
      page('captcha', 'Captcha', 'reCAPTCHA, Turnstile or hCaptcha before codes and links are sent.'),
      page(
        'strict-csp',
        'Strict CSP',
        'Content Security Policies for the widget: files only, nonces and `strict-dynamic`, Next, further sources, Trusted Types.',
      ),
      page(
        'prerender',
        'The form before its script',
        'The first screen of a widget in the page’s HTML, from a server, at the edge or in a build.',
      ),
    ],
  },
  {
    title: 'Headless and servers',
    pages: [
      page(
        'headless',
        'Without the widget',
        'All login methods without the widget, the session, changing an email address, passkeys on several domains, roles, consent, errors.',
      ),
      page(
        'server',
        'Checking sessions',
        'Checking sessions on your server: the verifier, guards for Hono, Express and Next, roles and permissions, the session JWT, cookies and CSRF, claims of your own.',
      ),
      page(
        'other-languages',
        'In another language',
        'Checking sessions and access tokens in Python, Go, Ruby, PHP, Java and C#.',
      ),
      page(
        'second-factor',
        'The second factor',
        'A required second factor: policy, login in two steps, recovery codes, lost factors, trusted browsers, step-up before an action.',
      ),
      page(
        'http-only-sessions',
        'HttpOnly sessions',
        'Session tokens in HttpOnly cookies that scripts cannot read: setup, several hosts, what changes.',
      ),
      page(
        'bound-sessions',
        'Bound sessions',
        'Sessions bound to a device, so that stolen tokens are useless: Device Bound Session Credentials, keys of the page (DPoP).',
      ),
      page(
        'backend-api',
        'The backend API',
        'Calls of your server with a secret: users, roles, sessions, invitations, codes and links, passwords, apps, machine tokens; replacing a secret.',
      ),
      page(
        'openapi',
        'The HTTP APIs and OpenAPI',
        'Every HTTP call of the client API, the backend API and OAuth with its fields, replies and errors, and as OpenAPI 3.1.',
      ),
      page(
        'agents',
        'Let agents in',
        'AI assistants and other apps that nobody registered: metadata documents, registration, approval, tokens for one API, failed connections.',
      ),
      page(
        'sign-up',
        'Who may sign up',
        'Who may sign up: open, by domain, by invitation or closed; inviting people; roles of new users; what strangers can learn.',
      ),
      page(
        'profile',
        'Fields and terms',
        'Fields and terms that users are asked for: names, companies, acceptance of terms and their versions.',
      ),
      page(
        'hooks',
        'Hooks',
        'Your server decides about each sign-up and login before it happens: requests, answers, failures.',
      ),
      page(
        'roles',
        'Roles',
        'Roles and permissions: the policy, giving roles to users, checks in the page and on the server.',
      ),
      page(
        'people',
        'Managing users',
        'Managing users from the command line and a page: list, lock, import, export, delete; sign-in as a user; audit log.',
      ),
      page(
        'writing-an-adapter',
        'Writing an adapter',
        'Replacing the client’s storage, cookies, transport and other ports, with contract suites.',
      ),
      page(
        'testing',
        'Testing your login',
        'Tests of your login: fakes in memory, Vitest, Jest, Playwright with a provider and its inbox, time, faults, captchas, second factors.',
      ),
      page(
        'inspector',
        'The flow inspector',
        'A panel that shows what the client does: calls, events, session, screens.',
      ),
    ],
  },
  {
    title: 'Moving in',
    pages: [
      page(
        'moving-from-stytch',
        'Moving from Stytch',
        'Moving the users of Stytch here: export, passwords, second factors, sessions, the switch and the way back.',
      ),
      page(
        'moving-from-auth0',
        'Moving from Auth0',
        'Moving the users of Auth0 here: export, password hashes, second factors, social accounts, the switch and the way back.',
      ),
      page(
        'moving-from-clerk',
        'Moving from Clerk',
        'Moving the users of Clerk here: its exports, passwords, second factors, social accounts, the switch and the way back.',
      ),
      page(
        'moving-from-firebase',
        'Moving from Firebase',
        'Moving the users of Firebase Authentication here: export, scrypt hashes, phone numbers, social accounts, the switch and the way back.',
      ),
      page(
        'moving-from-cognito',
        'Moving from Cognito',
        'Moving the users of Amazon Cognito here: export, passwords that are moved at the first login, the switch and the way back.',
      ),
      page(
        'moving-from-supabase',
        'Moving from Supabase',
        'Moving the users of Supabase Auth here: passwords, second factors, passkeys, social accounts and wallets.',
      ),
      page(
        'moving-from-better-auth',
        'Moving from Better Auth',
        'Moving the users of Better Auth here: passwords, second factors, passkeys, social accounts and wallets.',
      ),
      page(
        'moving-from-next-auth',
        'Moving from Auth.js',
        'Moving the users of Auth.js (NextAuth) here: accounts, passwords, passkeys.',
      ),
      page(
        'moving-from-keycloak',
        'Moving from Keycloak',
        'Moving the users of a Keycloak realm here: passwords, second factors, passkeys and social accounts.',
      ),
      page(
        'moving-from-kratos',
        'Moving from Ory Kratos',
        'Moving the identities of Ory Kratos here: passwords, second factors, passkeys and social accounts.',
      ),
      page(
        'moving-sessions',
        'Moving sessions',
        'People stay signed in when an app moves from Clerk, Auth0, Firebase, Supabase or Stytch.',
      ),
      page(
        'old-passwords',
        'Passwords of an old system',
        'Passwords whose hashes cannot be exported, such as those of Cognito or LDAP, are checked and moved at the first login.',
      ),
    ],
  },
  {
    title: 'Run the provider',
    pages: [
      page(
        'provider',
        'Options of the provider',
        'The server: every field of the project file, options, PKCE, limits of requests and messages, keys and their rotation, webhooks, database, upgrades, OAuth endpoints.',
        'provider/README.md',
      ),
      page(
        'self-hosting',
        'Self-hosting',
        'From nothing to a login by email on your own server: installation, project file, key, mail server, several projects.',
      ),
      page(
        'messages',
        'Emails and text messages',
        'Emails and text messages: mail server, languages, notices of changes, templates, Twilio and other gateways.',
      ),
      page(
        'behind-a-proxy',
        'Behind a proxy',
        'The provider behind nginx, Caddy or another proxy with TLS: trusted proxies, addresses, paths that must not be public.',
      ),
      page(
        'several-machines',
        'Several machines',
        'Several provider processes on one PostgreSQL database: rolling restarts, upgrades, connections, outages.',
      ),
      page(
        'scaling',
        'Scaling',
        'Sizing for up to millions of users: measurements, bottlenecks, splitting, replicas, regions.',
      ),
      page(
        'operating',
        'Operating',
        'Running the provider: logs, health, metrics and alerts, audit stream, settings without a restart, costs of text messages, containers, systemd, what to do when something fails.',
      ),
      page('backups', 'Backups', 'Copying and restoring the data of a provider.'),
    ],
  },
  {
    title: 'Trust',
    pages: [
      page('threat-model', 'Threat model', 'Threats, the defence against each, and the tests of that defence.'),
      page(
        'asvs',
        'OWASP ASVS',
        'Portico compared with the OWASP ASVS 5.0.0: authentication, sessions, tokens, OAuth.',
      ),
      page(
        'accessibility',
        'Accessibility',
        'Conformance with WCAG 2.2 and EN 301 549: each criterion with its evidence, and what your page adds.',
      ),
      page('security', 'Reporting a vulnerability', 'How to report a vulnerability.', 'SECURITY.md'),
      page(
        'architecture',
        'Architecture',
        'Layers of the client and the server, the rules that they share, and where code belongs.',
      ),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page(
        'specification',
        'Specification',
        'The behaviour of the widget and the client in nine sections, and the departures from it.',
      ),
      page('changelog', 'Changelog', 'What is new in each version.', 'CHANGELOG.md'),
      page(
        'contributing',
        'Contributing',
        'Working on Portico: commands, tests, lists that tests compare.',
        'CONTRIBUTING.md',
      ),
    ],
  },
];

export const PAGES: readonly SitePage[] = PAGE_GROUPS.flatMap(({ pages }) => pages);
