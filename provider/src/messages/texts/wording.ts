import { directionOf, languageOf, type Language } from '#domain/widget/language.ts';
import { ar } from './languages/ar.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import { es } from './languages/es.ts';
import { fr } from './languages/fr.ts';
import { ja } from './languages/ja.ts';
import { pt } from './languages/pt.ts';
import { zh } from './languages/zh.ts';
import type { MessageTexts } from './message-texts.ts';

const TEXTS: Readonly<Record<Language, MessageTexts>> = { en, de, es, fr, ja, ar, pt, zh };

/** The texts of a language, and its formats of durations and times. */
export interface Wording {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: MessageTexts;
  /** Joins sentences: Japanese and Chinese have no space between them. */
  readonly space: '' | ' ';
  duration(minutes: number): string;
  /** The time of day is in UTC, with the zone's name. */
  time(at: Date): string;
}

const MINUTES_OF_HOUR = 60;

function wordingOf(language: Language): Wording {
  // Codes have Latin digits in every language, so other numbers have them, too.
  const tag = `${language}-u-nu-latn`;
  const unit = (name: 'hour' | 'minute'): Intl.NumberFormat =>
    new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'long', useGrouping: false });
  const [hours, minutes] = [unit('hour'), unit('minute')];
  const times = new Intl.DateTimeFormat(tag, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
    hourCycle: 'h23',
  });
  return {
    language,
    direction: directionOf(language),
    texts: TEXTS[language],
    space: language === 'ja' || language === 'zh' ? '' : ' ',
    duration: (totalMinutes) =>
      totalMinutes % MINUTES_OF_HOUR === 0
        ? hours.format(totalMinutes / MINUTES_OF_HOUR)
        : minutes.format(totalMinutes),
    time: (at) => `${times.format(at)} UTC`,
  };
}

const wordings = new Map<Language, Wording>();

/** The wording for a BCP 47 tag, such as `de-AT`. A language without texts gets the fallback. */
export function wordingFor(tag: string | null | undefined, fallback: Language = 'en'): Wording {
  const language = languageOf(tag ?? '') ?? fallback;
  const wording = wordings.get(language) ?? wordingOf(language);
  wordings.set(language, wording);
  return wording;
}

/** Replaces each `{name}` with the value of that name. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value ?? whole;
  });
}
