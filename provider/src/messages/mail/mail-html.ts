import { html, raw } from 'hono/html';
import type { MessageContents } from '../texts/contents.ts';
import type { Wording } from '../texts/wording.ts';
import { LIGHT, MAIL_CSS } from './mail-css.ts';

/** The result of `html`: a text with escaped values. */
type Markup = ReturnType<typeof html>;

const FONT = 'font-family:Arial,Helvetica,sans-serif';
const SENTENCE = `margin:0 0 16px;font-size:16px;line-height:24px;color:${LIGHT.text}`;
const NOTE = `margin:0 0 8px;font-size:14px;line-height:20px;color:${LIGHT.soft}`;

/** Keeps the text after the preheader out of the list of messages. */
const FILLER = raw('&#847;&zwnj;&nbsp;'.repeat(60));

/** Outlook on Windows does not support `max-width`. */
const OUTLOOK_OPEN = raw(
  '<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->',
);
const OUTLOOK_CLOSE = raw('<!--[if mso]></td></tr></table><![endif]-->');

const NOTHING = raw('');

/** A long word, common in German, breaks instead of widening the mail: at its syllables if the mail program knows them. */
function title(text: string, size: string): Markup {
  const style = `margin:0 0 12px;${size};color:${LIGHT.text};word-break:break-word;-webkit-hyphens:auto;hyphens:auto`;
  return html`<h1 class="text" style="${style}">${text}</h1>`;
}

function opening(heading: string, intro: string): Markup {
  return html`${title(heading, 'font-size:24px;line-height:32px')}
    <p class="text" style="${SENTENCE}">${intro}</p>`;
}

function note(text: string): Markup {
  return html`<p class="soft" style="${NOTE}">${text}</p>`;
}

/** A tile with the first letter of the project's name, and the name. If the name has no letter or digit, there is no tile. */
function letterhead(project: string, language: string): Markup {
  const [letter] = /[\p{L}\p{N}]/u.exec(project) ?? [];
  const name = html`<p class="soft" style="${NOTE};margin:0;font-weight:bold">${project}</p>`;
  const tile = `width:36px;height:36px;border-radius:10px;background-color:${LIGHT.button};${FONT};font-size:18px;line-height:36px;font-weight:bold;color:${LIGHT.onButton}`;
  const mark = html`<td
      class="button label"
      aria-hidden="true"
      align="center"
      width="36"
      bgcolor="${LIGHT.button}"
      style="${tile}"
    >
      ${letter?.toLocaleUpperCase(language)}
    </td>
    <td width="12" style="width:12px;font-size:0;line-height:0">&nbsp;</td>`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px">
    <tr>
      ${letter === undefined ? NOTHING : mark}
      <td>${name}</td>
    </tr>
  </table>`;
}

/** The spacing is a style, so that a copied code has no spaces. */
function codeBox(code: string): Markup {
  const style = `padding:16px 8px;border-radius:8px;background-color:${LIGHT.code};font-family:Consolas,Menlo,'Courier New',monospace;font-size:34px;line-height:42px;font-weight:bold;letter-spacing:8px;color:${LIGHT.text};-webkit-user-select:all;user-select:all`;
  return html`<table
    role="presentation"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin:0 0 16px"
  >
    <tr>
      <td class="code text" align="center" dir="ltr" bgcolor="${LIGHT.code}" style="${style}">${code}</td>
    </tr>
  </table>`;
}

function button({ label, url }: { readonly label: string; readonly url: string }): Markup {
  const link = `display:inline-block;padding:13px 24px;${FONT};font-size:16px;line-height:22px;font-weight:bold;text-decoration:none;color:${LIGHT.onButton}`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">
    <tr>
      <td
        class="button"
        align="center"
        bgcolor="${LIGHT.button}"
        style="border-radius:8px;background-color:${LIGHT.button};mso-padding-alt:13px 24px"
      >
        <a class="label" href="${url}" target="_blank" style="${link}">${label}</a>
      </td>
    </tr>
  </table>`;
}

/** The alternative way to log in, less prominent than the button. */
function otherWay({ lead, label, url }: NonNullable<MessageContents['instead']>): Markup {
  return html`<p class="soft" style="${NOTE}">
    ${lead} <a class="soft" href="${url}" target="_blank" style="color:${LIGHT.soft}">${label}</a>
  </p>`;
}

function address(url: string): Markup {
  const style = `${NOTE};direction:ltr;text-align:left;word-break:break-all;overflow-wrap:anywhere`;
  return html`<p class="soft" dir="ltr" style="${style}">
    <a class="soft" href="${url}" target="_blank" style="color:${LIGHT.soft}">${url}</a>
  </p>`;
}

/** For programs that fill in codes, so it is small. */
function boundCode(text: string): Markup {
  return html`<p class="soft" dir="ltr" style="margin:16px 0 0;font-size:12px;line-height:16px;color:${LIGHT.soft}">
    ${text}
  </p>`;
}

/** The HTML of an email, for Gmail, Outlook and others: tables and inline styles, and nothing from other origins. */
export function mailHtml({ language, direction, space }: Wording, contents: MessageContents): string {
  const {
    subject,
    heading,
    intro,
    code,
    warning,
    action,
    instead,
    validity,
    requestNote,
    ignore,
    project,
    autofillLine,
  } = contents;
  const align = direction === 'rtl' ? 'right' : 'left';
  const page = html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
        <meta name="x-apple-disable-message-reformatting" />
        <title>${subject}</title>
        <style>
          ${raw(MAIL_CSS)}
        </style>
      </head>
      <body class="page" style="margin:0;padding:0;background-color:${LIGHT.page}">
        <div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${intro} ${validity}${FILLER}</div>
        <div
          class="page"
          role="article"
          lang="${language}"
          dir="${direction}"
          aria-label="${subject}"
          style="background-color:${LIGHT.page}"
        >
          <table
            class="page"
            role="presentation"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            border="0"
            bgcolor="${LIGHT.page}"
            style="background-color:${LIGHT.page}"
          >
            <tr>
              <td align="center" style="padding:24px 12px">
                ${OUTLOOK_OPEN}
                <table
                  class="card"
                  role="presentation"
                  dir="${direction}"
                  width="100%"
                  cellpadding="0"
                  cellspacing="0"
                  border="0"
                  bgcolor="${LIGHT.card}"
                  style="max-width:600px;margin:0 auto;background-color:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:12px"
                >
                  <tr>
                    <td class="inner" align="${align}" style="padding:32px;${FONT};text-align:${align}">
                      ${letterhead(project, language)}
                      ${heading === undefined ? title(intro, 'font-size:20px;line-height:28px') : opening(heading, intro)}
                      ${code === undefined ? NOTHING : codeBox(code)} ${action === undefined ? NOTHING : button(action)}
                      <p class="text" style="${SENTENCE}">
                        ${validity}${warning === undefined ? '' : `${space}${warning}`}
                      </p>
                      ${action === undefined ? NOTHING : html`${note(action.copy)}${address(action.url)}`}
                      <div
                        class="rule"
                        style="border-top:1px solid ${LIGHT.line};margin:24px 0 16px;font-size:0;line-height:0"
                      >
                        &nbsp;
                      </div>
                      ${instead === undefined ? NOTHING : otherWay(instead)} ${note(requestNote)}
                      ${ignore === '' ? NOTHING : note(ignore)}
                      ${autofillLine === undefined ? NOTHING : boundCode(autofillLine)}
                    </td>
                  </tr>
                </table>
                ${OUTLOOK_CLOSE}
              </td>
            </tr>
          </table>
        </div>
      </body>
    </html> `;
  // It becomes a promise only if a value is a promise.
  if (page instanceof Promise) throw new TypeError('the HTML of a mail has only values');
  const lines = page.toString().split('\n');
  return `${lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')}\n`;
}
