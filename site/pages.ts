/** The pages of the documentation by subject, in reading order for newcomers: the sidebar. */

export interface SitePage {
  /** The page's name in URLs. */
  readonly slug: string;
  /** The title in the sidebar, shorter than the heading. */
  readonly label: string;
  /** The source file. */
  readonly file: string;
}

export interface PageGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

const page = (slug: string, label: string, file = `docs/${slug}.md`): SitePage => ({ slug, label, file });

export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    title: 'Start',
    pages: [
      page('overview', 'What Portico is', 'README.md'),
      page('getting-started', 'Getting started'),
      page('migrating', 'Moving from another client'),
      page('coding-assistants', 'Coding assistants'),
    ],
  },
  {
    title: 'Frameworks',
    pages: [
      page('react', 'React'),
      page('with-next', 'Next'),
      page('with-react-router', 'React Router'),
      page('with-vue', 'Vue'),
      page('with-svelte', 'Svelte'),
      page('with-sveltekit', 'SvelteKit'),
      page('with-astro', 'Astro'),
      page('with-solid', 'Solid'),
      page('with-tanstack-start', 'TanStack Start'),
      page('with-angular', 'Angular'),
      page('with-nuxt', 'Nuxt'),
      page('with-express', 'Express'),
      page('with-fastify', 'Fastify or Nest on another origin'),
      page('with-hono-at-the-edge', 'Hono at the edge'),
      page('with-electron', 'Electron'),
      page('with-expo', 'Expo and React Native'),
      page('embedding', 'Web components and frames'),
      page('containers-and-phones', 'Containers and phones'),
      page('runtimes', 'Workers, extensions, Node'),
    ],
  },
  {
    title: 'Using the widget',
    pages: [
      page('configuration', 'Configuration'),
      page('theming', 'Theme'),
      page('texts-and-languages', 'Texts and languages'),
      page('text-keys', 'Keys of the texts'),
      page('social-logins', 'Social logins'),
      page('passkeys', 'Passkeys'),
      page('passwords', 'Passwords'),
      page('account', 'The account page'),
      page('your-other-app', 'Sign in to your other app'),
      page('command-line-tool', 'A command line tool'),
      page('mcp-servers', 'Guard an MCP server'),
      page('captcha', 'Captcha'),
      page('strict-csp', 'Strict CSP'),
      page('prerender', 'The form before its script'),
    ],
  },
  {
    title: 'Headless and servers',
    pages: [
      page('headless', 'Without the widget'),
      page('server', 'Checking sessions'),
      page('other-languages', 'In another language'),
      page('second-factor', 'The second factor'),
      page('http-only-sessions', 'HttpOnly sessions'),
      page('bound-sessions', 'Bound sessions'),
      page('backend-api', 'The backend API'),
      page('openapi', 'The HTTP APIs and OpenAPI'),
      page('agents', 'Let agents in'),
      page('sign-up', 'Who may sign up'),
      page('profile', 'Fields and terms'),
      page('hooks', 'Hooks'),
      page('roles', 'Roles'),
      page('people', 'Managing users'),
      page('writing-an-adapter', 'Writing an adapter'),
      page('testing', 'Testing your login'),
      page('inspector', 'The flow inspector'),
    ],
  },
  {
    title: 'Moving in',
    pages: [
      page('moving-from-stytch', 'Moving from Stytch'),
      page('moving-from-auth0', 'Moving from Auth0'),
      page('moving-from-clerk', 'Moving from Clerk'),
      page('moving-from-firebase', 'Moving from Firebase'),
      page('moving-from-cognito', 'Moving from Cognito'),
      page('moving-from-supabase', 'Moving from Supabase'),
      page('moving-from-better-auth', 'Moving from Better Auth'),
      page('moving-from-next-auth', 'Moving from Auth.js'),
      page('moving-from-keycloak', 'Moving from Keycloak'),
      page('moving-from-kratos', 'Moving from Ory Kratos'),
      page('moving-sessions', 'Moving sessions'),
      page('old-passwords', 'Passwords of an old system'),
    ],
  },
  {
    title: 'Run the provider',
    pages: [
      page('provider', 'Options of the provider', 'provider/README.md'),
      page('self-hosting', 'Self-hosting'),
      page('messages', 'Emails and text messages'),
      page('behind-a-proxy', 'Behind a proxy'),
      page('several-machines', 'Several machines'),
      page('scaling', 'Scaling'),
      page('operating', 'Operating'),
      page('backups', 'Backups'),
    ],
  },
  {
    title: 'Trust',
    pages: [
      page('threat-model', 'Threat model'),
      page('asvs', 'OWASP ASVS'),
      page('accessibility', 'Accessibility'),
      page('security', 'Reporting a vulnerability', 'SECURITY.md'),
      page('architecture', 'Architecture'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('specification', 'Specification'),
      page('changelog', 'Changelog', 'CHANGELOG.md'),
      page('contributing', 'Contributing', 'CONTRIBUTING.md'),
    ],
  },
];

export const PAGES: readonly SitePage[] = PAGE_GROUPS.flatMap(({ pages }) => pages);
