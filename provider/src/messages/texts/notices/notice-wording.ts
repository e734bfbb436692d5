import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import type { Language } from '#domain/widget/language.ts';
import type { MessageContents } from '../contents.ts';
import { fill, type Wording } from '../wording.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { NOTICE_LINES, NOTICE_TOPICS, type NoticeLine, type NoticeTexts, type NoticeTopic } from './notice-texts.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

export const NOTICE_TEXTS: Readonly<Record<Language, NoticeTexts>> = { en, de, es, fr, ja, ar, pt, zh };

/** One sentence of a notice. */
export interface NoticeItem {
  readonly line: NoticeLine;
  /** A masked address or number, a social provider, an app, a browser. */
  readonly value?: string;
  /** RFC 3339. */
  readonly time?: string;
}

export type NoticeAction = 'undo' | 'stop' | 'finish';

/** The content of a notice, from which its text and its HTML are made in any language. */
export interface NoticeContent {
  readonly topic: NoticeTopic;
  readonly items: readonly NoticeItem[];
  readonly project: string;
  readonly at: Date;
  /** What the link does; null for a message without one. */
  readonly action: NoticeAction | null;
  readonly link: string | undefined;
}

/** The sentence of an item, in the wording's language. */
export function noticeSentence(wording: Wording, { line, value = '', time }: NoticeItem): string {
  const at = time === undefined ? '' : wording.time(new Date(time));
  return fill(NOTICE_TEXTS[wording.language].lines[line], { value, time: at });
}

function endingOf(texts: NoticeTexts, topic: NoticeTopic, project: string, hasLink: boolean): string {
  if (topic === 'deleted') return fill(texts.final, { project });
  return hasLink || topic === 'recovery_ended' ? texts.fine : texts.check;
}

interface NoticeParts {
  readonly subject: string;
  readonly sentences: readonly string[];
  readonly at: string;
  readonly action: { readonly lead: string; readonly button: string; readonly validity: string } | null;
  readonly ending: string;
}

function partsOf(wording: Wording, content: NoticeContent): NoticeParts {
  const texts = NOTICE_TEXTS[wording.language];
  const { topic, items, project, at, link } = content;
  const action = content.action === null || link === undefined ? null : texts[content.action];
  return {
    subject: fill(texts.subjects[topic], { project }),
    sentences: items.map((item) => noticeSentence(wording, item)),
    at: fill(texts.at, { time: wording.time(at) }),
    action,
    ending: endingOf(texts, topic, project, action !== null),
  };
}

/** The contents of the HTML of a notice. */
export function noticeContents(wording: Wording, content: NoticeContent): MessageContents {
  const { subject, sentences, at, action, ending } = partsOf(wording, content);
  const intro = sentences.join(wording.space);
  const shared = {
    subject,
    heading: subject,
    lead: intro,
    intro,
    requestNote: at,
    terms: '',
    project: content.project,
  };
  if (action === null) return { ...shared, validity: ending, ignore: '' };
  const { copyLink: copy } = wording.texts;
  const button = { label: action.button, url: content.link ?? '', copy };
  return { ...shared, action: button, validity: action.validity, ignore: ending };
}

/** The plain text of a notice as an email. */
export function noticeText(
  wording: Wording,
  content: NoticeContent,
): { readonly subject: string; readonly text: string } {
  const { subject, sentences, at, action, ending } = partsOf(wording, content);
  const link = action === null ? [] : [action.lead, content.link ?? '', action.validity, ''];
  return { subject, text: [...sentences, '', ...link, ending, '', at].join('\n') };
}

/** A notice as a text message. */
export function noticeShort(wording: Wording, content: NoticeContent): string {
  const { sentences, action } = partsOf(wording, content);
  const lines = [`${content.project}: ${sentences.join(wording.space)}`];
  return (action === null ? lines : [...lines, action.lead, content.link ?? '']).join('\n');
}

/** The stored values of a notice. Its link does not log in, so it is not in the message’s field for login links. */
export function noticeValues(content: NoticeContent): Readonly<Record<string, string>> {
  const { topic, items, project, at, action, link = '' } = content;
  return { topic, items: JSON.stringify(items), project, at: at.toISOString(), action: action ?? '', link };
}

/** The inverse of `noticeValues`; null for erased values. */
export function noticeContentFrom(values: Readonly<Record<string, string | number>>): NoticeContent | null {
  const { topic: topicName, items, project, at, action, link } = values;
  const topic = NOTICE_TOPICS.find((each) => each === topicName);
  const json = typeof items === 'string' ? parseJson(items) : null;
  if (topic === undefined || !Array.isArray(json) || typeof project !== 'string' || typeof at !== 'string') return null;
  return {
    topic,
    items: json.flatMap((item: unknown) => itemFrom(item)),
    project,
    at: new Date(at),
    action: action === 'undo' || action === 'stop' || action === 'finish' ? action : null,
    link: typeof link === 'string' && link !== '' ? link : undefined,
  };
}

function itemFrom(item: unknown): readonly NoticeItem[] {
  const { line: lineName, value, time } = isRecord(item) ? item : {};
  const line = NOTICE_LINES.find((each) => each === lineName);
  if (line === undefined) return [];
  return [
    {
      line,
      ...(typeof value === 'string' ? { value } : {}),
      ...(typeof time === 'string' ? { time } : {}),
    },
  ];
}
