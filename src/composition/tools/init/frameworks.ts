import type { Framework } from './recipe.ts';

const VITE = { apiUrl: 'VITE_PORTICO_API_URL', publicToken: 'VITE_PORTICO_PUBLIC_TOKEN' };
const SERVER = { apiUrl: 'PORTICO_API_URL', publicToken: 'PORTICO_PUBLIC_TOKEN', projectId: 'PORTICO_PROJECT_ID' };
const STRING: readonly [string, string] = [': string =', ' ='];
const SCRIPT: readonly [string, string] = [' lang="ts"', ''];
const CAME_FROM = `/** Where the sign-in page leads back to. It comes from the router's own state, which no link can write. */
export interface CameFrom {
  readonly from?: Location;
}

`;
/** The pages of a server that has no framework for them. */
const PAGES = {
  'portico/login.html': 'the login page',
  'portico/account.html': 'the protected page',
  'portico/public/client.js': 'the client',
  'portico/public/login.js': 'the login',
  'portico/public/account.js': 'the sign-out',
};
const OPEN = 'Open the address that it prints';

/** By the value of `--framework`. */
export const FRAMEWORKS = {
  react: {
    title: 'Vite with React',
    packages: [['vite', 'react']],
    guide: 'docs/getting-started.md',
    recipe: {
      entries: ['src/main.tsx'],
      files: {
        'src/portico.ts': 'the client',
        'src/main.tsx': 'passes the client to the components',
        'src/App.tsx': 'the login page, and the guard of /account',
        'src/Account.tsx': 'the protected page, with the sign-out',
        'server.js': 'the server that checks the session',
        'vite.config.ts': 'passes requests for /api on to the server',
      },
      variables: { ...VITE, projectId: 'PORTICO_PROJECT_ID' },
      types: [
        ["('root')!", "('root')"],
        [' as const', ''],
        ['(): Promise<string>', '()'],
        ['(await reply.json()) as { message: string }', 'await reply.json()'],
      ],
      steps: ({ manager }) => [
        'Start the server: node --env-file=.env server.js',
        `Start the page in another terminal: ${manager} run dev`,
        `${OPEN}, and the page /account there.`,
      ],
    },
  },
  vue: {
    title: 'Vite with Vue',
    packages: [['vite', 'vue']],
    guide: 'docs/with-vue.md',
    recipe: {
      entries: ['src/main.ts'],
      files: {
        'src/portico.ts': 'the client, and the signed-in user',
        'src/LoginWidget.vue': 'the login',
        'src/App.vue': 'the guard, the protected page and the sign-out',
      },
      variables: VITE,
      types: [STRING, SCRIPT, [': ReturnType<typeof client.mountLogin> | undefined', '']],
      steps: ({ manager }) => [`Start the page: ${manager} run dev`, `${OPEN}.`],
    },
  },
  svelte: {
    title: 'Vite with Svelte',
    packages: [['vite', 'svelte']],
    guide: 'docs/with-svelte.md',
    recipe: {
      entries: ['src/main.ts'],
      files: {
        'src/portico.ts': 'the client, the signed-in user and the login',
        'src/App.svelte': 'the guard, the protected page and the sign-out',
      },
      variables: VITE,
      types: [
        STRING,
        SCRIPT,
        ["import type { Attachment } from 'svelte/attachments';\n", ''],
        [': Attachment =', ' ='],
      ],
      steps: ({ manager }) => [`Start the page: ${manager} run dev`, `${OPEN}.`],
    },
  },
  solid: {
    title: 'Vite with Solid',
    packages: [['vite', 'solid-js']],
    guide: 'docs/with-solid.md',
    recipe: {
      entries: ['src/index.tsx'],
      files: {
        'src/portico.ts': 'the client, and the signed-in user',
        'src/App.tsx': 'the login, the guard, the protected page and the sign-out',
      },
      variables: VITE,
      types: [STRING, ['(element: HTMLElement): void', '(element)']],
      steps: ({ manager }) => [`Start the page: ${manager} run dev`, `${OPEN}.`],
    },
  },
  next: {
    title: 'Next',
    packages: [['next']],
    includes: ['react'],
    guide: 'docs/with-next.md',
    recipe: {
      entries: ['app/layout.tsx', 'src/app/layout.tsx'],
      files: {
        'lib/settings.ts': 'the settings',
        'lib/auth.ts': 'the verifier and the guards',
        'app/providers.tsx': 'the client',
        'app/layout.tsx': 'passes the signed-in user to all pages',
        'app/sample.css': 'the look of the pages',
        'app/sign-out.tsx': 'the sign-out',
        'app/login/page.tsx': 'the login page',
        'app/login/sign-in.tsx': 'the login',
        'app/account/page.tsx': 'a protected page',
        'app/admin/page.tsx': 'a page for one role',
        'proxy.ts': 'the guard of /account before a page is rendered',
        'login-look.mjs': 'the look of the form in the first HTML',
      },
      inRoot: ['login-look.mjs'],
      variables: {
        apiUrl: 'NEXT_PUBLIC_PORTICO_API_URL',
        publicToken: 'NEXT_PUBLIC_PORTICO_PUBLIC_TOKEN',
        projectId: 'PORTICO_PROJECT_ID',
      },
      scripts: {
        portico: 'portico prerender --options login-look.mjs --files public/portico',
        predev: 'npm run portico',
        prebuild: 'npm run portico',
      },
      setting: { text: 'cacheComponents', files: ['next.config.ts', 'next.config.mjs', 'next.config.js'] },
      steps: ({ manager }) => [`Start the app: ${manager} run dev`, `${OPEN}, and the page /account there.`],
    },
  },
  nuxt: { title: 'Nuxt', packages: [['nuxt']], includes: ['vue'], guide: 'docs/with-nuxt.md' },
  sveltekit: {
    title: 'SvelteKit',
    packages: [['@sveltejs/kit']],
    includes: ['svelte'],
    guide: 'docs/with-sveltekit.md',
  },
  astro: {
    title: 'Astro',
    packages: [['astro']],
    includes: ['react', 'vue', 'svelte', 'solid'],
    guide: 'docs/with-astro.md',
  },
  'react-router': {
    title: 'React Router',
    packages: [['react-router'], ['react-router-dom'], ['@react-router/dev']],
    includes: ['react'],
    guide: 'docs/with-react-router.md',
    recipe: {
      entries: ['src/main.tsx'],
      files: {
        'src/settings.ts': 'the client',
        'src/guards.tsx': 'the guard',
        'src/pages.tsx': 'the login page, the protected pages and the sign-out',
        'src/main.tsx': 'the routes',
      },
      variables: VITE,
      types: [
        STRING,
        [', type Location }', ' }'],
        [CAME_FROM, ''],
        [' satisfies CameFrom', ''],
        ["import type { CameFrom } from './guards.tsx';\n", ''],
        [' as const', ''],
        ['(useLocation().state ?? {}) as CameFrom', 'useLocation().state ?? {}'],
      ],
      unsuited: '@react-router/dev',
      steps: ({ manager }) => [`Start the page: ${manager} run dev`, `${OPEN}.`],
    },
  },
  'tanstack-start': {
    title: 'TanStack Start',
    packages: [['@tanstack/react-start'], ['@tanstack/solid-start']],
    includes: ['react', 'solid'],
    guide: 'docs/with-tanstack-start.md',
  },
  angular: { title: 'Angular', packages: [['@angular/core']], guide: 'docs/with-angular.md' },
  express: {
    title: 'Express',
    packages: [['express']],
    guide: 'docs/with-express.md',
    recipe: {
      entries: [],
      files: {
        'portico.mjs': 'the router: the verifier, the guard and the pages',
        ...PAGES,
      },
      variables: SERVER,
      router: { kind: 'express', file: 'portico.mjs', name: 'portico' },
      steps: ({ entry }) => [
        `Start the server with the settings: node --env-file=.env ${entry}`,
        'Open its page /account.',
      ],
    },
  },
  hono: {
    title: 'Hono',
    packages: [['hono']],
    guide: 'docs/with-hono-at-the-edge.md',
    recipe: {
      entries: ['src/index.ts'],
      files: { 'src/portico.ts': 'the router: the verifier, the guard and the pages', ...PAGES },
      variables: SERVER,
      router: { kind: 'hono', file: 'src/portico.js', name: 'portico' },
      pages: 'docs/with-express.md',
      needs: '@hono/node-server',
      steps: ({ manager }) => [
        `Build the server: ${manager} run build`,
        'Start it with the settings: node --env-file=.env dist/index.js',
        'Open its page /account.',
      ],
    },
  },
  fastify: {
    title: 'Fastify',
    packages: [['fastify']],
    guide: 'docs/with-fastify.md',
    recipe: {
      entries: [],
      files: { 'portico.mjs': 'the plugin: the verifier, the guard and the pages', ...PAGES },
      variables: SERVER,
      router: { kind: 'fastify', file: 'portico.mjs', name: 'portico' },
      pages: 'docs/with-express.md',
      steps: ({ entry }) => [
        `Start the server with the settings: node --env-file=.env ${entry}`,
        'Open its page /account.',
      ],
    },
  },
  nest: {
    title: 'Nest',
    packages: [['@nestjs/core']],
    includes: ['express', 'fastify'],
    guide: 'docs/with-fastify.md',
    recipe: {
      entries: ['src/app.module.ts'],
      files: { 'src/portico.module.ts': 'the module: the verifier, the guard and the pages', ...PAGES },
      variables: SERVER,
      router: { kind: 'nest', file: 'src/portico.module', name: 'PorticoModule' },
      pages: 'docs/with-express.md',
      needs: '@nestjs/platform-express',
      steps: ({ manager }) => [
        `Build the server: ${manager} run build`,
        'Start it with the settings: node --env-file=.env dist/main',
        'Open its page /account.',
      ],
    },
  },
} as const satisfies Readonly<Record<string, Framework>>;

export type FrameworkName = keyof typeof FRAMEWORKS;

export const FRAMEWORK_NAMES = Object.keys(FRAMEWORKS) as readonly FrameworkName[];

export const frameworkOf = (name: FrameworkName): Framework => FRAMEWORKS[name];
