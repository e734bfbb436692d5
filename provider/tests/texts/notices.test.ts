import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#domain/widget/language.ts';
import { exampleNotice } from '#provider/dev/notice-examples.ts';
import { mailHtml } from '#provider/messages/mail/mail-html.ts';
import { parcelHtml } from '#provider/messages/mail/parcel-html.ts';
import { NOTICE_LINES, type NoticeTexts } from '#provider/messages/texts/notices/notice-texts.ts';
import {
  NOTICE_TEXTS,
  noticeContents,
  noticeShort,
  noticeText,
  noticeValues,
} from '#provider/messages/texts/notices/notice-wording.ts';
import { wordingFor } from '#provider/messages/texts/wording.ts';

const placeholders = (text: string): readonly string[] => (text.match(/\{\w+\}/gu) ?? []).sort();

/** The texts by their path. */
function flat(texts: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? [[path + name, value] as const] : flat(value as object, `${path}${name}.`),
  );
}

describe('the texts of notices', () => {
  const english = flat(NOTICE_TEXTS.en);

  it.each(LANGUAGES)('have the placeholders of the English ones in %s, and no other', (language) => {
    const texts: NoticeTexts = NOTICE_TEXTS[language];
    const given = new Map(flat(texts));
    for (const [path, text] of english) {
      expect([path, placeholders(given.get(path) ?? '')]).toEqual([path, placeholders(text)]);
    }
    expect(given.size).toBe(english.length);
    if (language !== 'en') expect(english.filter(([path, text]) => given.get(path) === text)).toEqual([]);
  });

  it.each(LANGUAGES)('make messages without an open placeholder in %s', (language) => {
    const wording = wordingFor(language);
    for (const line of NOTICE_LINES) {
      const notice = exampleNotice(line, 'Acme');
      const { subject, text } = noticeText(wording, notice);
      for (const each of [subject, text, noticeShort(wording, notice)]) expect(each).not.toMatch(/[{}]|undefined/u);
      expect(subject).toContain('Acme');
      if (notice.link !== undefined) expect(text).toContain(notice.link);
      expect(mailHtml(wording, noticeContents(wording, notice))).toContain(`dir="${wording.direction}"`);
    }
  });

  it('are made into the same HTML from what the outbox keeps', () => {
    const wording = wordingFor('de');
    const notice = exampleNotice('device', 'A <b> & Co');
    const kept = { kind: 'notice', locale: 'de', templateId: null, values: noticeValues(notice) } as const;
    const html = parcelHtml(kept, undefined);
    expect(html).toBe(mailHtml(wording, noticeContents(wording, notice)));
    expect(html).toContain('A &lt;b&gt; &amp; Co');
    expect(parcelHtml({ ...kept, values: {} }, undefined)).toBeNull();
  });
});
