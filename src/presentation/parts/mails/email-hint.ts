import { isEmail } from '#domain/contacts/email.ts';
import { splitEmail } from '#domain/contacts/international-domain.ts';
import { mailServiceOf } from './mail-services.ts';

/** The domains that people mistype. */
const COMMON =
  'gmail.com googlemail.com hotmail.com hotmail.co.uk hotmail.fr outlook.com icloud.com live.com msn.com aol.com yahoo.com yahoo.co.uk yahoo.co.jp yahoo.co.in yahoo.com.br yahoo.fr yahoo.de yahoo.es yahoo.it rocketmail.com proton.me protonmail.com fastmail.com gmx.de gmx.net gmx.com web.de t-online.de orange.fr wanadoo.fr laposte.net libero.it yandex.ru yandex.com naver.com hanmail.net foxmail.com zohomail.com'.split(
    ' ',
  );

/** Names that differ from a real one by a letter, such as `wep.de`. For these only the ending is checked. */
const SHORT: ReadonlySet<string> = new Set('live msn aol proton gmx web orange libero naver'.split(' '));

/** Real domains that are not in the table of services but look like one of its entries. */
const REAL: ReadonlySet<string> = new Set(
  'cloud.com fmail.com hmail.com qmail.com tmail.com umail.com zmail.com'.split(' '),
);

/** Endings that no domain has. */
const NO_ENDINGS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['com', 'con cmo ocm comm coom cim vom xom copm cpm cmm ckm clm comn'],
    ['net', 'nte ner nett ent met'],
    ['org', 'ogr rog orgg prg orf otg'],
  ].flatMap(([right = '', wrong = '']) => wrong.split(' ').map((each) => [each, right])),
);

/** The number of letters to insert, to delete, to replace, or to swap with their neighbours (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

const split = (domain: string): readonly [name: string, ending: string] => {
  const dot = domain.indexOf('.');
  return [domain.slice(0, dot), domain.slice(dot + 1)];
};

/** The number of mistakes in the domain, if it is the common one with a mistake in its name, in its ending, or in both; else Infinity. */
function mistakes(domain: string, common: string): number {
  const [name, ending] = split(domain);
  const [rightName, rightEnding] = split(common);
  const wrongName = editDistance(name, rightName);
  const wrongEnding = editDistance(ending, rightEnding);
  const most = SHORT.has(rightName) ? 0 : rightName.length > 6 ? 2 : 1;
  const all = wrongName + wrongEnding;
  return wrongName <= most && wrongEnding <= 1 && all <= 2 ? all : Infinity;
}

/** The domain that was probably meant, or null. */
function betterDomain(domain: string): string | null {
  const dot = domain.lastIndexOf('.') + 1;
  const ending = NO_ENDINGS[domain.slice(dot)];
  const candidate = ending === undefined ? null : domain.slice(0, dot) + ending;
  if (candidate !== null && mailServiceOf(`@${candidate}`) !== undefined) return candidate;
  const best = { domain: candidate, mistakes: Infinity };
  for (const common of COMMON) {
    const count = mistakes(domain, common);
    if (count < best.mistakes) Object.assign(best, { domain: common, mistakes: count });
  }
  return best.domain;
}

/** No address with a name before it is longer than this. */
const LONGEST_TEXT = 500;

/**
 * The address in a text that is not a plain address: in full-width letters, with a comma or an ideographic full stop instead of a dot, with
 * spaces around its signs, as a link, or after a name as in mails. Null if there is none.
 */
function emailIn(text: string): string | null {
  if (text.length > LONGEST_TEXT) return null;
  const plain = text.normalize('NFKC').replace(/^.*<(?=[^<]*>$)|^mailto:|>$/giu, '');
  const at = plain.lastIndexOf('@');
  const parts = `${plain.slice(0, at + 1)}${plain.slice(at + 1).replaceAll(/[,。]/gu, '.')}`.split(/([@.])/u);
  const email = parts.map((part) => part.trim()).join('');
  return isEmail(email) ? email : null;
}

/**
 * The address that was probably meant: with another domain, or found in a longer text. Null if the address looks correct. A domain of a
 * known mail service is always correct.
 */
export function betterEmail(email: string): string | null {
  if (!isEmail(email)) {
    const found = emailIn(email);
    return found === null ? null : (betterEmail(found) ?? found);
  }
  const [local, rawDomain] = splitEmail(email);
  const domain = rawDomain.toLowerCase();
  if (mailServiceOf(email) !== undefined || REAL.has(domain)) return null;
  const better = betterDomain(domain);
  return better === null ? null : `${local}@${better}`;
}
