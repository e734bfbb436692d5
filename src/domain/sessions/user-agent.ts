/** The common names of a user agent's browser and system; null for an unknown one. */
export interface AgentNames {
  readonly browser: string | null;
  readonly system: string | null;
}

/** The order matters, because many browsers also contain the names of others for compatibility. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//u, 'Edge'],
  [/\b(?:OPR|Opera|OPiOS)\//u, 'Opera'],
  [/\bSamsungBrowser\//u, 'Samsung Internet'],
  [/\bVivaldi\//u, 'Vivaldi'],
  [/\bYaBrowser\//u, 'Yandex Browser'],
  [/\bDuckDuckGo\//u, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//u, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//u, 'Chrome'],
  [/^(?=.*\bVersion\/[\d.])(?=.*\bSafari\/)/u, 'Safari'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bCrOS\b/u, 'ChromeOS'],
  [/\bWindows\b/u, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/u, 'macOS'],
  [/\bLinux\b/u, 'Linux'],
];

const nameIn = (list: typeof BROWSERS, agent: string): string | null =>
  list.find(([pattern]) => pattern.test(agent))?.[1] ?? null;

/** Reads a user agent. Only names of the lists above are returned, because the text is the client's. */
export function agentNames(agent: string): AgentNames {
  const text = agent.slice(0, 512);
  return { browser: nameIn(BROWSERS, text), system: nameIn(SYSTEMS, text) };
}
