import { stat } from 'node:fs/promises';
import { parsedUrl } from '#domain/rules/redirects.ts';
import { isSecureUrl } from '#domain/safe-url.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { atMostEvery, type Warn } from '#provider/base/warnings.ts';
import { BreachFile, BreachFolder, type OpenList } from './breach-file.ts';
import { EMBEDDED_BREACHES, type BreachList } from './breach-list.ts';
import { BreachRangeApi } from './breach-range.ts';

const WARN_EVERY_MS = 10 * MINUTE_MS;

/**
 * Opens the configured list: the https URL of a range API, a sorted file or a folder of ranges. Throws an Error that describes the mistake.
 */
export async function openBreaches(source: string, warn: Warn): Promise<OpenList> {
  const list = await opened(source);
  return { ...withEmbedded(list, warn), close: () => list.close() };
}

async function opened(source: string): Promise<OpenList> {
  if (/^[a-z][a-z\d+.-]*:\/\//iu.test(source)) return rangeApi(source);
  const found = await stat(source);
  return found.isDirectory() ? BreachFolder.open(source) : BreachFile.open(source);
}

function rangeApi(source: string): OpenList {
  const url = parsedUrl(source);
  if (url === null || !isSecureUrl(url) || url.search + url.hash + url.username !== '') {
    throw new Error('a range API is an https URL such as https://api.pwnedpasswords.com/range/');
  }
  const api = new BreachRangeApi(url);
  return { hasSuffix: (prefix, suffix) => api.hasSuffix(prefix, suffix), close: () => Promise.resolve() };
}

/**
 * Combines the list with the embedded one. While the list does not answer, the embedded one decides alone, and the operator gets a warning:
 * an outage of another service must not keep people from signing up or in.
 */
export function withEmbedded(list: BreachList, warn: Warn): BreachList {
  const tell = atMostEvery(WARN_EVERY_MS, warn);
  return {
    async hasSuffix(prefix, suffix) {
      if (await EMBEDDED_BREACHES.hasSuffix(prefix, suffix)) return true;
      try {
        return await list.hasSuffix(prefix, suffix);
      } catch {
        tell('the list of breached passwords cannot be read; only the most common passwords are refused until it can.');
        return false;
      }
    },
  };
}
