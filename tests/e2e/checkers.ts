/** IBM's and Siteimprove's checkers, which a soak alone installs, with what they report in error. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ensureDeps } from '#scripts/ensure-deps.mjs';
import { ROOT } from '#scripts/lib/root.mjs';

interface Violation {
  readonly rule: string;
  readonly html: string;
  readonly element: string;
  readonly message: string;
}

interface Exception {
  readonly rule: string;
  /** What the source of the element contains. Default: the rule is left out for all. */
  readonly html?: RegExp;
  readonly reason: string;
}

const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'input_label_exists',
    html: /^<output\b/u,
    reason: 'An output is a live region (role status), which needs no name; its text is announced.',
  },
  {
    rule: 'fieldset_legend_valid',
    html: /^<fieldset (?:[^>]*aria-labelledby=|class="dots")/u,
    reason:
      'The group has a name by aria-labelledby, its heading or its question, or by a legend that is hidden from view.',
  },
  {
    rule: 'input_autocomplete_valid',
    html: /autocomplete="tel-national"/u,
    reason: 'HTML has tel-national for type=text. Browsers fill type=tel, too, which shows the keyboard of digits.',
  },
  {
    rule: 'input_autocomplete_valid',
    html: /type="email" [^>]*autocomplete="username(?: webauthn)?"/u,
    reason: 'HTML allows username for type=email.',
  },
  {
    rule: 'aria_content_in_landmark',
    html: /class="(?:skip|VPSkipLink)\b/u,
    reason: 'The link that skips to the content is the first element of the page, before its landmarks.',
  },
  {
    rule: 'label_content_exists',
    html: /^<label title=/u,
    reason: 'The label around a dot of colour enlarges the target. The radio button in it has a name.',
  },
  {
    rule: 'element_tabbable_role_valid',
    html: /class="(?:scroll|timeline)"|^<(?:table|pre) [^>]*tabindex="0"/u,
    reason: 'A table, a list or code that scrolls takes the focus, so that the arrow keys scroll it.',
  },
  {
    rule: 'aria_role_redundant',
    html: /^<ol role="list"/u,
    reason: 'Safari takes the role of a list from one without markers.',
  },
  {
    rule: 'aria_form_label_unique',
    html: /^<form (?![^>]*aria-label)/u,
    reason: 'A form without a name is no landmark (HTML-AAM), so nobody has to tell it from others.',
  },
  {
    rule: 'aria_landmark_name_unique',
    html: /^<form (?![^>]*aria-label)/u,
    reason: 'A form without a name is no landmark (HTML-AAM), so nobody has to tell it from others.',
  },
  {
    rule: 'SIA-R54',
    html: /data-part="toasts"/u,
    reason: 'Several notices stack in it: only the new one is to be read, not all of them again.',
  },
  {
    rule: 'SIA-R14',
    html: /data-part="email-hint"/u,
    reason: 'The parts of the address stand side by side without a space. Alfa reads a space between them.',
  },
  {
    rule: 'SIA-R83',
    html: /^<span>\s*ada\.lovelace\./u,
    reason: 'A long address is cut before its domain, which the hint corrects. The name of the button has the whole.',
  },
  {
    rule: 'combobox_active_descendant',
    html: /aria-controls="[^"]*-list"/u,
    reason:
      'The active option is where the arrow keys are. The selected one is the chosen country (WAI-ARIA 1.2, aria-selected).',
  },
];

const isException = ({ rule, html }: Violation): boolean =>
  EXCEPTIONS.some((one) => one.rule === rule && (one.html?.test(html) ?? true));

/** What both checkers refuse on the page, without the exceptions: rule, place and source. */
export async function findings(page: Page): Promise<readonly string[]> {
  await ensureDeps(join(ROOT, 'tests/checkers-soak'));
  const { alfaFindings, ibmFindings } = await import('../checkers-soak/checkers.mjs');
  const found: readonly Violation[] = [...(await ibmFindings(page)), ...(await alfaFindings(page))];
  return found
    .filter((one) => !isException(one))
    .map(({ rule, element, html, message }) => `${rule} ${element} ${html} ${message}`);
}
