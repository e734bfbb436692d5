import { languageOf, type Language } from './language.ts';

/**
 * The first supported language of an `Accept-Language` header (RFC 9110, section 12.5.4), or of one language tag (BCP 47). English if there
 * is none, and without a header.
 */
export function acceptedLanguage(header: string | null | undefined): Language {
  const languageRanges = (header ?? '')
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith('q='))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return languageRanges.map(({ tag }) => languageOf(tag)).find((language) => language !== null) ?? 'en';
}
