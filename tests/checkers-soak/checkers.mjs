/**
 * Two checkers of accessibility beside axe, on a page that a browser shows: IBM's engine runs inside the page, Siteimprove's Alfa on a
 * copy of its elements, style sheets and layout. Neither makes a request.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Audit, Outcome } from '@siteimprove/alfa-act';
import { Device } from '@siteimprove/alfa-device';
import { Node, Text } from '@siteimprove/alfa-dom';
import { Request, Response } from '@siteimprove/alfa-http';
import { Rules } from '@siteimprove/alfa-rules';
import { Conformance, Criterion } from '@siteimprove/alfa-wcag';
import { Page } from '@siteimprove/alfa-web';

const read = (name) => readFile(createRequire(import.meta.url).resolve(name), 'utf8');

/** Runs in the page, whose policy forbids evaluated code; the debugger's channel is no part of the page. */
async function inPage(page, expression) {
  const channel = await page.context().newCDPSession(page);
  try {
    const options = { awaitPromise: true, returnByValue: true, allowUnsafeEvalBlockedByCSP: true };
    const { exceptionDetails, result } = await channel.send('Runtime.evaluate', { expression, ...options });
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return JSON.parse(result.value);
  } finally {
    await channel.detach();
  }
}

/** What IBM's engine fails, with the elements' path and source. What it asks a person to look at is not among it. */
export async function ibmFindings(page) {
  const source = (await page.evaluate(() => 'ace' in window)) ? '' : await read('accessibility-checker-engine');
  const check = async () => {
    const { results } = await new ace.Checker().check(document, ['IBM_Accessibility']);
    const failed = results.filter(({ value }) => value[1] === 'FAIL');
    return JSON.stringify(
      failed.map(({ ruleId: rule, path, snippet: html, message }) => ({ rule, element: path.dom, html, message })),
    );
  };
  return inPage(page, `${source}\n;(${check.toString()})()`);
}

/**
 * Alfa's copy of the page. Alfa reads neither `light-dark()` nor container queries, and applies all style sheets to each element several
 * times. So the copy has no style sheets, and each element the values that the browser computed.
 */
async function copyForAlfa(Native, own, inherited) {
  /** Elements that browsers give no style but `display`: those need only what differs. Alfa takes long to parse values. */
  const PLAIN = new Set(
    'div span p bdi section main nav header footer li form label output svg path g circle'.split(' '),
  );
  const roots = [document, ...Array.from(document.querySelectorAll('*'), ({ shadowRoot }) => shadowRoot)];
  for (const root of roots.filter((one) => one !== null)) {
    Object.defineProperty(root, 'styleSheets', { value: [], configurable: true });
    Object.defineProperty(root, 'adoptedStyleSheets', { value: [], configurable: true });
  }
  const copy = await Native.fromNode(document);
  for (const root of roots.filter((one) => one !== null)) {
    delete root.styleSheets;
    delete root.adoptedStyleSheets;
  }
  const complete = (node, its) => {
    if (node instanceof Element) {
      const style = getComputedStyle(node);
      const above = node.parentElement ? getComputedStyle(node.parentElement) : null;
      const isPlain = PLAIN.has(node.localName) && above !== null;
      const changed = [
        ...Object.keys(own).filter((name) => !isPlain || style.getPropertyValue(name) !== own[name]),
        ...inherited.filter((name) => !isPlain || style.getPropertyValue(name) !== above.getPropertyValue(name)),
      ];
      // Alfa takes an image of any size for the background of the text, such as the line at a card's or a tab's edge.
      const isLine = /^(?:\S+ )?[1-4]px$/u.test(style.backgroundSize);
      const valueOf = (name) => (isLine && name === 'background-image' ? 'none' : style.getPropertyValue(name));
      const shown = ['display', ...changed].map((name) => `${name}:${valueOf(name)}!important`);
      its.style = shown.join(';');
      if (node.shadowRoot !== null) complete(node.shadowRoot, its.shadow);
    }
    Array.from(node.childNodes).forEach((child, at) => complete(child, its.children[at]));
  };
  complete(document, copy);
  return JSON.stringify(copy);
}

/**
 * What the rules of colours, of what is seen and of targets read, with the initial values. Sizes and spacing are left out: computed, they
 * would look fixed.
 */
const OWN = {
  'background-color': 'rgba(0, 0, 0, 0)',
  'background-image': 'none',
  'box-shadow': 'none',
  opacity: '1',
  position: 'static',
  clip: 'auto',
  'clip-path': 'none',
  'overflow-x': 'visible',
  'overflow-y': 'visible',
  'border-top-style': 'none',
  'border-right-style': 'none',
  'border-bottom-style': 'none',
  'border-left-style': 'none',
  'border-top-width': '0px',
  'border-right-width': '0px',
  'border-bottom-width': '0px',
  'border-left-width': '0px',
  'outline-style': 'none',
  'text-decoration-line': 'none',
  'text-indent': '0px',
};
const INHERITED = ['color', 'visibility', 'font-size', 'font-weight', 'font-style', 'cursor', 'text-transform'];

/** Whether all criteria of the rule have level AAA, which the statement does not claim. */
const isBeyond = ({ requirements }) => {
  const criteria = requirements.filter((one) => Criterion.isCriterion(one));
  return criteria.length > 0 && !criteria.some(Conformance.isAA());
};

function sourceOf(target) {
  if (!Node.isNode(target)) return JSON.stringify(target);
  return Text.isText(target) ? target.parent().getOr(target).toString() : target.toString();
}

/** What Alfa's rules fail, with the element's path and source. */
export async function alfaFindings(page) {
  const native = (await read('@siteimprove/alfa-dom/native')).replace('export var Native', 'var Native');
  const copy = await inPage(
    page,
    `(() => { ${native}\n return (${copyForAlfa.toString()})(Native, ${JSON.stringify(OWN)}, ${JSON.stringify(INHERITED)}); })()`,
  );
  const device = Device.standard();
  const audited = Page.of(Request.empty(), Response.empty(), Node.from(copy, device), device);
  const rules = [...Rules.values()].filter((rule) => !isBeyond(rule));
  const outcomes = await Audit.of(audited, rules).evaluate().toPromise();
  return [...outcomes]
    .filter((one) => Outcome.isFailed(one))
    .map(({ rule, target, expectations }) => ({
      rule: rule.uri.replace(/.*\//, '').toUpperCase(),
      element: Node.isNode(target) ? target.path() : '',
      // A rule of several elements has them as one target. A text is shown with its element.
      html: sourceOf(target).slice(0, 300),
      message: [...expectations].map(([, result]) => JSON.stringify(result).slice(0, 300)).join(' '),
    }));
}
