import { html } from 'hono/html';
import type { Html } from '#provider/base/http/page-frame.ts';
import { IMPORT_BYTES, IMPORT_LINES, linesText, totalsText, type LineResult, type Totals } from './import-lines.ts';
import type { Operator } from '../desk/operator-store.ts';
import { field, page, table, type Fault } from '../desk/layout.ts';

export interface ImportPage {
  readonly text?: string;
  /** The number of valid lines; absent before the check. */
  readonly checked?: number;
  readonly fault?: Fault;
}

export function importPage(operator: Operator, { text = '', checked, fault }: ImportPage): Html {
  return page({
    title: 'Import users',
    section: 'users',
    operator,
    body: html`<p>
        Each line is the JSON of one user. Users who exist already are not changed. The page takes ${IMPORT_LINES} lines
        and ${IMPORT_BYTES / 1000} kB at once; the command
        <code>portico-provider users import</code> takes files of any size.
      </p>
      ${
        checked === undefined
          ? ''
          : html`<p class="done" role="status">${linesText(checked)} in order. Nothing is imported yet.</p>`
      }
      <form method="post" action="/operators/import" enctype="multipart/form-data" class="form">
        ${field(
          { name: 'lines', label: 'Lines', fault },
          (attributes) =>
            html`<textarea ${attributes} class="lines" spellcheck="false" autocomplete="off">${'\n'}${text}</textarea>`,
        )}
        ${field(
          { name: 'file', label: 'Or a file of such lines', hint: 'It takes the place of the lines above.', fault },
          (attributes) => html`<input ${attributes} type="file" accept=".jsonl,.ndjson,.json,.txt" />`,
        )}
        <div class="acts">
          <button name="step" value="check" ${checked === undefined ? html`class="primary"` : ''}>
            Check the lines
          </button>
          ${checked === undefined ? '' : html`<button name="step" value="import" class="primary">Import</button>`}
        </div>
      </form>`,
  });
}

const broughtText = (brings: readonly string[]): string =>
  brings.length === 0 ? '' : ` The line would have brought ${brings.join(', ')}.`;

export function importedPage(operator: Operator, results: readonly LineResult[], totals: Totals): Html {
  const others = results.filter(({ outcome }) => outcome.result !== 'imported');
  return page({
    title: 'Import users',
    section: 'users',
    operator,
    body: html`<p class="done" role="status">${totalsText(totals)}</p>
      ${table(
        'Lines that were not imported',
        ['Line', 'Why'],
        others.map(({ number, outcome }) => [
          String(number),
          outcome.result === 'refused'
            ? outcome.reason
            : outcome.result === 'exists'
              ? html`<a href="/operators/users/${encodeURIComponent(outcome.user_id)}">The user</a> was there
                  already.${broughtText(outcome.brings)}`
              : '',
        ]),
        'All lines were imported.',
      )}
      <p><a href="/operators/users">Users</a> · <a href="/operators/import">Import more</a></p>`,
  });
}
