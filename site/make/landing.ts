import { PAGE_GROUPS } from '../pages.ts';

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
  const features = PAGE_GROUPS.flatMap(({ title, pages }) => {
    const [first] = pages;
    const details = ABOUT[title];
    if (first === undefined || details === undefined) return [];
    return [{ title, details, link: `/${first.slug}` }];
  });
  const api = {
    title: 'API reference',
    details: 'Every export of every entry, made from the types of the package.',
    link: '/api/',
  };
  const frontmatter = {
    layout: 'home',
    title: 'Documentation',
    hero: {
      name: 'Portico',
      text: 'Sign-in for your own page',
      tagline: 'A widget, a headless client, and a provider that you can host yourself.',
      image: { src: '/widget.png', alt: 'The login widget' },
      actions: [
        { text: 'Get started', link: '/getting-started', theme: 'brand' },
        { text: 'Configuration', link: '/configuration', theme: 'alt' },
        { text: 'API reference', link: '/api/', theme: 'alt' },
      ],
    },
    features: [...features, api],
  };
  return `---\n${JSON.stringify(frontmatter, null, 2)}\n---\n`;
}
