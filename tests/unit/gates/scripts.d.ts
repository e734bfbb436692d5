/** The types of the plain scripts, as far as TypeScript sources import them. */

declare module '*/scripts/layers.mjs' {
  export function checkLayers(root?: string): { ok: boolean; files: number; problems: string[] };
}

declare module '*/scripts/lib/find-browser.mjs' {
  export function findBrowser(
    env?: Readonly<Record<string, string | undefined>>,
    exists?: (path: string) => boolean,
    platform?: string,
  ): string | null;
  export const BROWSER_ARGS: string[];
}
