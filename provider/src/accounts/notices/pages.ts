import { html } from 'hono/html';
import { pageFrame, type Html } from '#provider/base/http/page-frame.ts';
import type { NoticeTexts } from '#provider/messages/texts/notices/notice-texts.ts';
import { NOTICE_TEXTS } from '#provider/messages/texts/notices/notice-wording.ts';
import { fill, type Wording } from '#provider/messages/texts/wording.ts';

/** The context of a page, in addition to its texts. */
interface PageContext {
  readonly wording: Wording;
  readonly project: string;
  /** The path of the page's style sheet. */
  readonly css: string;
}

interface PageForm extends PageContext {
  /** Where the form is sent. */
  readonly action: string;
  readonly token: string;
}

const textsOf = ({ wording }: PageContext): NoticeTexts['pages'] => NOTICE_TEXTS[wording.language].pages;

function page(context: PageContext, title: string, body: Html): Html {
  const {
    wording: { language, direction },
    project,
    css,
  } = context;
  return pageFrame(
    { language, direction, title: `${title} – ${project}`, css },
    html`<main>
      <p class="project">${project}</p>
      <h1>${title}</h1>
      ${body}
    </main>`,
  );
}

const list = (title: string, sentences: readonly string[]): Html =>
  sentences.length === 0
    ? html``
    : html`<p>${title}</p>
        <ul>
          ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
        </ul>`;

function button({ action, token }: PageForm, name: string, label: string, look: 'primary' | 'plain'): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="token" value="${token}" />
    <button type="submit" name="do" value="${name}" class="${look}">${label}</button>
  </form>`;
}

/** The sentences that describe what a link undoes. */
export interface UndoSentences {
  readonly undone: readonly string[];
  readonly remains: readonly string[];
  readonly resetsPassword: boolean;
  /** How long the removal of second factors waits; null if none is removed. */
  readonly wait: string | null;
}

/** Shows what the link would do, and the button for it. */
export function undoPage(form: PageForm, { undone, remains, resetsPassword, wait }: UndoSentences): Html {
  const texts = textsOf(form);
  return page(
    form,
    texts.undoTitle,
    html`${list(texts.undone, undone)}
      <ul>
        <li>${texts.sessions}</li>
        ${resetsPassword ? html`<li>${texts.password}</li>` : ''}
        ${wait === null ? '' : html`<li>${fill(texts.recovery, { duration: wait })}</li>`}
      </ul>
      ${list(texts.remains, remains)} ${button(form, 'undo', texts.undoButton, 'primary')}`,
  );
}

/** Offers to stop a recovery, and to finish one that has waited long enough. */
export function recoveryPage(form: PageForm, canFinish: boolean): Html {
  const texts = textsOf(form);
  const stop = (look: 'primary' | 'plain'): Html => button(form, 'stop', texts.stopButton, look);
  if (!canFinish)
    return page(
      form,
      texts.stopTitle,
      html`<p>${texts.stopText}</p>
        ${stop('primary')}`,
    );
  const finish = button(form, 'finish', texts.finishButton, 'plain');
  return page(
    form,
    texts.finishTitle,
    html`<p>${texts.finishText}</p>
      ${finish} ${stop('plain')}`,
  );
}

export type DoneText = 'undoDone' | 'stopDone' | 'finishDone';

/** Confirms the action after the button was pressed. */
export function donePage(context: PageContext, done: DoneText, next: string): Html {
  const texts = textsOf(context);
  const label = fill(texts.next, { project: context.project });
  return page(context, texts[done], html`<p><a href="${next}">${label}</a></p>`);
}

/** For a link that is used, expired or unknown. */
export function overPage(context: PageContext, title: 'undoTitle' | 'stopTitle', next: string): Html {
  const texts = textsOf(context);
  const label = fill(texts.next, { project: context.project });
  return page(
    context,
    texts[title],
    html`<p>${texts.over}</p>
      <p><a href="${next}">${label}</a></p>`,
  );
}
