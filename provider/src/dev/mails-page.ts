import { html } from 'hono/html';
import { LANGUAGES, type Language } from '#domain/widget/language.ts';
import { LINK_KINDS, PASSCODE_KINDS, REFUSAL_KIND, type MessageKind } from '#provider/messages/texts/kinds.ts';
import { NOTICE_LINES, type NoticeLine } from '#provider/messages/texts/notices/notice-texts.ts';
import { page } from './frame.ts';

export const SCHEMES = ['light', 'dark'] as const;
/** The widths: a phone, the mail's own width on a desk, and all available width. */
export const WIDTHS = ['360', '640', '100%'] as const;

/** The data of the page. */
export interface Preview {
  readonly kind: MessageKind;
  /** The sentence of a notice, which replaces the kind; null for other messages. */
  readonly notice: NoticeLine | null;
  /** A template of the project; null for the built-in text. */
  readonly template: string | null;
  readonly language: Language;
  readonly scheme: (typeof SCHEMES)[number];
  readonly width: (typeof WIDTHS)[number];
}

/** The text of the mail and, if there is one, of the text message. */
export interface PreviewTexts {
  readonly subject: string;
  readonly text: string;
  readonly short: string | null;
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** The kind of a message in words. */
function labelOf(kind: string): string {
  const words = kind.replaceAll('_', ' ').replace('totp', 'authenticator app');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function addressOf(preview: Preview, path = '/dev/mails'): string {
  const { kind, notice, template, language, scheme, width } = preview;
  const query = new URLSearchParams({
    kind,
    language,
    scheme,
    width,
    ...(notice === null ? {} : { notice }),
    ...(template === null ? {} : { template }),
  });
  return `${path}?${query.toString()}`;
}

/** A list of links to previews that differ from the current one in one respect. */
function choices(
  title: string,
  preview: Preview,
  options: readonly (readonly [name: string, change: Partial<Preview>])[],
) {
  const address = addressOf(preview);
  return html`<nav aria-label="${title}">
    <h2>${title}</h2>
    <ul>
      ${options.map(([name, change]) => {
        const to = addressOf({ ...preview, ...change });
        return html`<li><a href="${to}" ${to === address ? html`aria-current="true"` : ''}>${name}</a></li>`;
      })}
    </ul>
  </nav>`;
}

/** The page with every kind of message in every language. */
export function mailsPage(
  preview: Preview,
  texts: PreviewTexts,
  templates: readonly (readonly [id: string, kind: MessageKind])[],
  demoUrl: string | undefined,
) {
  const kinds = [...PASSCODE_KINDS, ...LINK_KINDS, REFUSAL_KIND] as const;
  return page(
    { path: '/dev/mails', title: 'Mails', demoUrl },
    html`<main>
      <h1>Mails</h1>
      <div class="choices">
        ${choices(
          'Message',
          preview,
          kinds.map((kind) => [labelOf(kind), { kind, notice: null, template: null }]),
        )}
        ${choices(
          'Notice',
          preview,
          NOTICE_LINES.map((notice) => [labelOf(notice), { notice, template: null }]),
        )}
        ${
          templates.length === 0
            ? ''
            : choices(
                'Template',
                preview,
                templates.map(([template, kind]) => [template, { kind, notice: null, template }]),
              )
        }
        ${choices(
          'Language',
          preview,
          LANGUAGES.map((language) => [LANGUAGE_NAMES.of(language) ?? language, { language }]),
        )}
        ${choices(
          'Colours',
          preview,
          SCHEMES.map((scheme) => [labelOf(scheme), { scheme }]),
        )}
        ${choices(
          'Width',
          preview,
          WIDTHS.map((width) => [width, { width }]),
        )}
      </div>
      <section aria-label="Preview">
        <p class="subject" dir="auto">${texts.subject}</p>
        <iframe
          title="HTML of the mail"
          width="${preview.width}"
          height="640"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          src="${addressOf(preview, '/dev/mails/html')}"
        ></iframe>
        <h2>Plain text</h2>
        <div class="plain" dir="auto">${texts.text}</div>
        ${
          texts.short === null
            ? ''
            : html`<h2>Text message</h2>
                <div class="plain" dir="auto">${texts.short}</div>`
        }
      </section>
    </main>`,
  );
}

export const kindOfTemplate = (purpose: 'code' | 'link'): MessageKind =>
  purpose === 'code' ? 'login_passcode' : 'login_link';
