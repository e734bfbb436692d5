import { DEFAULTS } from '../../../demo/parts/choices.ts';
import { THEMES, WAYS } from '../../../demo/parts/presets.ts';
import { SAMPLES } from '../../../demo/code/samples.ts';

const SERVER = {
  provider: 'http://localhost:4100',
  publicToken: 'public-token-test-1',
  projectId: 'project-test-1',
};
const CHOICES = Object.entries(WAYS).map(
  ([way, config]) =>
    [way, { ...DEFAULTS, config, styles: THEMES.brand, strings: { 'main.title': 'Hi' }, language: 'de' }] as const,
);
const EXTENSIONS = { vanilla: 'ts', react: 'tsx', next: 'tsx', vue: 'ts', script: 'js', server: 'ts' } as const;

/** The script that a page or a component holds; its markup is of no type. */
const scriptOf = (html: string): string => /<script(?: setup lang="ts")?>\n([\s\S]*?)<\/script>/u.exec(html)?.[1] ?? '';

/** What the demo shows for each usual way to sign in, as modules to compile: file names and sources. */
export function shownSamples(): readonly (readonly [name: string, source: string])[] {
  return Object.entries(SAMPLES).flatMap(([kind, { language, write }]) =>
    CHOICES.map(([way, choices]) => {
      const text = write({ choices, server: SERVER });
      const extension = EXTENSIONS[kind as keyof typeof EXTENSIONS];
      const source = language === 'html' ? scriptOf(text) : text;
      // A script of a page is no module, and shares its names with those of other pages.
      const whole = extension === 'js' ? `{\n${source}}\n` : `${source}export {};\n`;
      return [`shown-${kind}-${way}.${extension}`, whole] as const;
    }),
  );
}
