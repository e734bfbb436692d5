import { PAGE_GROUPS } from '../pages.ts';

interface Link {
  readonly text: string;
  /** Below the site's base. */
  readonly path: string;
}

/** The content of the first page, which `site/theme/home.ts` renders. */
export interface HomeData {
  readonly title: string;
  readonly lede: string;
  readonly actions: readonly Link[];
  readonly groups: readonly { readonly title: string; readonly about: string; readonly pages: readonly Link[] }[];
}

/** The pages of a group that the first page names. */
const NAMED = 4;

/** The purpose of each group of the sidebar, in a sentence. */
const ABOUT: Readonly<Record<string, string>> = {
  Start: 'Mount the widget, see a first login, or move an app that uses another client.',
  Frameworks: 'Complete apps, each run by a test: Next, React Router, Vue, Svelte, Express, Hono at the edge.',
  'Using the widget': 'Every option beside the live playground, the theme, texts, social logins, a strict CSP.',
  'Headless and servers': 'The client without the widget, sessions on your server, and tests of your login.',
  'Run the provider': 'Host the provider yourself: mails, proxies, several machines, backups.',
  Reference: 'What the product does, what changed, and how to work on it.',
  Trust: 'What an attacker can try, what stops it, and how the code is built.',
};

export function landing(): string {
  const groups = PAGE_GROUPS.map(({ title, pages }) => ({
    title,
    about: ABOUT[title] ?? '',
    pages: pages.slice(0, NAMED).map(({ label, slug }) => ({ text: label, path: `/${slug}` })),
  }));
  const api = {
    title: 'API reference',
    about: 'Every export of every entry, made from the types of the package.',
    pages: [{ text: 'All entries', path: '/api/' }],
  };
  const home: HomeData = {
    title: 'Sign-in for your own page',
    lede: 'A widget, a headless client, and a provider that you can host yourself. The widget here is live.',
    actions: [
      { text: 'Get started', path: '/getting-started' },
      { text: 'Configuration', path: '/configuration' },
      { text: 'API reference', path: '/api/' },
    ],
    groups: [...groups, api],
  };
  return `---\n${JSON.stringify({ layout: 'home', title: 'Documentation', home }, null, 2)}\n---\n`;
}
