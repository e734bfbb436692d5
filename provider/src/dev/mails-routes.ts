import { Hono } from 'hono';
import { LANGUAGES } from '#domain/widget/language.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { styleSheet } from '#provider/base/http/page-css.ts';
import { inDarkMode } from '#provider/messages/mail/mail-css.ts';
import { parcelHtml } from '#provider/messages/mail/parcel-html.ts';
import type { OutboxTable } from '#provider/messages/outbox/tables.ts';
import type { Services } from '#provider/api/services.ts';
import { contentsOf, plainText, shortText, type MessageValues } from '#provider/messages/texts/contents.ts';
import { isMessageKind, isPasscodeKind, REFUSAL_KIND } from '#provider/messages/texts/kinds.ts';
import { exampleNotice } from './notice-examples.ts';
import { noticeContents, noticeShort, noticeText } from '#provider/messages/texts/notices/notice-wording.ts';
import { NOTICE_LINES } from '#provider/messages/texts/notices/notice-texts.ts';
import { mailHtml } from '#provider/messages/mail/mail-html.ts';
import { wordingFor } from '#provider/messages/texts/wording.ts';
import frameCss from './frame.css?raw';
import css from './mails.css?raw';
import { kindOfTemplate, mailsPage, SCHEMES, WIDTHS, type Preview, type PreviewTexts } from './mails-page.ts';

const PAGE_POLICY = [
  `default-src 'none'`,
  `style-src 'self'`,
  `img-src data:`,
  `frame-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** The HTML of an email is shown as in an email program: with its styles, and without scripts or anything from other origins. */
const MAIL_POLICY = [
  `default-src 'none'`,
  `style-src 'unsafe-inline'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  // The inbox itself may be in a frame of a developer's page.
  `frame-ancestors 'self' http://localhost:* http://127.0.0.1:*`,
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

const MAIL_HEADERS = { 'Content-Security-Policy': MAIL_POLICY, 'X-Content-Type-Options': 'nosniff' };

const EXAMPLE_AT = new Date(Date.UTC(2030, 0, 2, 15, 4));
const EXAMPLE_LINK = 'https://app.example.com/authenticate?stytch_token_type=';
const EXAMPLE_TOKEN = 'DOYoip3rvIMMW5lgItikFK-Ak1CfMsgjuiCyI7uuU94';

function exampleOf({ kind }: Preview, project: string): MessageValues {
  const link = (type: string): string => `${EXAMPLE_LINK}${type}&token=${EXAMPLE_TOKEN}`;
  return {
    kind,
    project,
    at: EXAMPLE_AT,
    device: 'Firefox (Windows)',
    minutes: 30,
    ...(kind === REFUSAL_KIND ? {} : { link: link('magic_links') }),
    ...(isPasscodeKind(kind)
      ? { link: undefined, code: '428193', minutes: 5, autofill_site: new URL(EXAMPLE_LINK).hostname }
      : {}),
    ...(kind === 'reset_password'
      ? { link: link('reset_password'), login_link: link('login'), login_minutes: 60 }
      : {}),
  };
}

function oneOf<const T extends string>(allowed: readonly T[], value: string | undefined): T {
  return allowed.find((each) => each === value) ?? (allowed[0] as T);
}

/** Previews of the emails that this server writes. Mounted only with `--dev`. */
export function mailsRoutes({
  db,
  project,
  templates,
  demoUrl,
}: Pick<Services, 'db' | 'project' | 'templates' | 'demoUrl'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  const previewOf = (query: (name: string) => string | undefined): Preview => {
    const templateId = query('template');
    const purpose = templateId === undefined ? undefined : templates?.purpose(templateId);
    const kind = query('kind') ?? '';
    return {
      kind: purpose === undefined ? (isMessageKind(kind) ? kind : 'login_passcode') : kindOfTemplate(purpose),
      notice: NOTICE_LINES.find((line) => line === query('notice')) ?? null,
      template: purpose === undefined ? null : (templateId ?? null),
      language: oneOf(LANGUAGES, query('language') ?? project.delivery.locale),
      scheme: oneOf(SCHEMES, query('scheme')),
      width: oneOf(WIDTHS, query('width')),
    };
  };

  app.get('/mails', (context) => {
    const preview = previewOf((name) => context.req.query(name));
    const wording = wordingFor(preview.language);
    const own = (templates?.ids ?? []).map((id) => [id, kindOfTemplate(templates?.purpose(id) ?? 'code')] as const);
    const send = (texts: PreviewTexts) =>
      context.html(mailsPage(preview, texts, own, demoUrl), 200, { 'Content-Security-Policy': PAGE_POLICY });
    if (preview.notice !== null) {
      const notice = exampleNotice(preview.notice, project.name);
      return send({ ...noticeText(wording, notice), short: noticeShort(wording, notice) });
    }
    const values = exampleOf(preview, project.name);
    const contents = contentsOf(wording, values);
    const custom = preview.template === null ? null : templates?.write(preview.template, wording, values);
    const short = isPasscodeKind(preview.kind) && preview.template === null ? shortText(wording, values) : null;
    const { subject, text } = custom ?? { subject: contents.subject, text: plainText(contents) };
    return send({ subject, text, short });
  });

  app.get('/mails/html', (context) => {
    const preview = previewOf((name) => context.req.query(name));
    const wording = wordingFor(preview.language);
    const values = exampleOf(preview, project.name);
    const page =
      preview.notice !== null
        ? mailHtml(wording, noticeContents(wording, exampleNotice(preview.notice, project.name)))
        : preview.template === null
          ? mailHtml(wording, contentsOf(wording, values))
          : (templates?.html(preview.template, wording, values) ?? '<p>This template has no HTML.');
    return context.html(inDarkMode(page, preview.scheme === 'dark'), 200, MAIL_HEADERS);
  });

  app.get('/mails.css', styleSheet(`${frameCss}\n${css}`));

  app.get('/inbox/:id/html', async (context) => {
    const row = await db
      .selectFrom('outbox')
      .selectAll()
      .where('id', '=', context.req.param('id').replaceAll('\0', ''))
      .where('channel', '=', 'email' satisfies OutboxTable['channel'])
      .executeTakeFirst();
    if (row === undefined) throw new Refusal('route_not_found');
    const { kind, locale, template_id: templateId, values, code, link } = row;
    const parcel = {
      kind,
      locale,
      templateId,
      values,
      ...(code === null ? {} : { code }),
      ...(link === null ? {} : { link }),
    };
    const page = parcelHtml(parcel, templates) ?? '<p>This mail has no HTML.';
    return context.html(page, 200, MAIL_HEADERS);
  });
  return app;
}
