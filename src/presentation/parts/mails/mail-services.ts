import { splitEmail } from '#domain/contacts/international-domain.ts';
import { GMAIL, OUTLOOK, YAHOO, type MailService } from '../mailboxes.ts';

/** Each service: its name, the address of its inbox, and the domains of its users. */
const SERVICES: readonly (readonly [name: string, url: string, domains: string])[] = [
  [GMAIL.name, GMAIL.url, 'gmail.com googlemail.com'],
  [OUTLOOK.name, OUTLOOK.url, 'outlook.com hotmail.com live.com msn.com windowslive.com passport.com'],
  [YAHOO.name, YAHOO.url, 'yahoo.com ymail.com rocketmail.com myyahoo.com'],
  ['Yahoo! JAPAN', 'https://mail.yahoo.co.jp/', 'yahoo.co.jp ymail.ne.jp'],
  ['iCloud', 'https://www.icloud.com/mail/', 'icloud.com me.com mac.com'],
  ['Proton Mail', 'https://mail.proton.me/', 'proton.me protonmail.com protonmail.ch pm.me'],
  ['Fastmail', 'https://app.fastmail.com/mail/', 'fastmail.com fastmail.fm'],
  ['GMX', 'https://www.gmx.net/', 'gmx.de gmx.net gmx.at gmx.ch'],
  ['GMX', 'https://www.gmx.com/', 'gmx.com gmx.us gmx.co.uk gmx.fr gmx.es'],
  ['WEB.DE', 'https://web.de/', 'web.de'],
  ['AOL', 'https://mail.aol.com/', 'aol.com aol.de aol.fr aol.co.uk aim.com'],
  ['Zoho Mail', 'https://mail.zoho.com/', 'zoho.com zohomail.com'],
  ['Zoho Mail', 'https://mail.zoho.eu/', 'zohomail.eu'],
  ['Yandex', 'https://mail.yandex.ru/', 'yandex.ru ya.ru yandex.by yandex.kz yandex.ua'],
  ['Yandex', 'https://mail.yandex.com/', 'yandex.com yandex.com.tr'],
  ['QQ 邮箱', 'https://mail.qq.com/', 'qq.com vip.qq.com foxmail.com'],
  ['网易邮箱', 'https://mail.163.com/', '163.com'],
  ['网易邮箱', 'https://mail.126.com/', '126.com'],
  ['网易邮箱', 'https://mail.yeah.net/', 'yeah.net'],
  ['NAVER', 'https://mail.naver.com/', 'naver.com'],
  ['Daum', 'https://mail.daum.net/', 'daum.net hanmail.net'],
  ['Mail.ru', 'https://e.mail.ru/', 'mail.ru inbox.ru list.ru bk.ru internet.ru'],
  ['Telekom', 'https://email.t-online.de/', 't-online.de magenta.de'],
  ['Orange', 'https://messagerie.orange.fr/', 'orange.fr wanadoo.fr'],
  ['Free', 'https://webmail.free.fr/', 'free.fr'],
  ['La Poste', 'https://www.laposte.net/', 'laposte.net'],
  ['Libero', 'https://mail.libero.it/', 'libero.it'],
  ['WP', 'https://poczta.wp.pl/', 'wp.pl'],
  ['Onet', 'https://poczta.onet.pl/', 'onet.pl op.pl'],
  ['Seznam', 'https://email.seznam.cz/', 'seznam.cz email.cz'],
  ['mail.com', 'https://www.mail.com/', 'mail.com email.com'],
  ['Tuta', 'https://app.tuta.com/', 'tuta.com tutanota.com tutanota.de tuta.io tutamail.com'],
  ['HEY', 'https://app.hey.com/', 'hey.com'],
];

const BY_DOMAIN: ReadonlyMap<string, MailService> = new Map(
  SERVICES.flatMap(([name, url, domains]) => domains.split(' ').map((domain) => [domain, { name, url }] as const)),
);

/** The services with a domain in each of many countries, such as `hotmail.co.uk`, `yahoo.fr` and `live.com.au`. */
const FAMILY = /^(outlook|hotmail|live|yahoo)\.(?:com?\.)?([a-z]{2})$/u;
const COUNTRIES: ReadonlySet<string> = new Set(
  'ar at au be br ca ch cl cn cz de dk es fi fr gr hk hu id ie il in it jp kr lv mx my nl no nz pe ph pl pt ro ru sa se sg sk th tr tw uk vn za'.split(
    ' ',
  ),
);

/** The service of an address; undefined if its domain is not in the table. */
export function mailServiceOf(email: string): MailService | undefined {
  const domain = splitEmail(email)[1].toLowerCase();
  const [, family = '', country = ''] = FAMILY.exec(domain) ?? [];
  const name = family === 'live' || family === 'hotmail' ? 'outlook' : family;
  return BY_DOMAIN.get(domain) ?? (COUNTRIES.has(country) ? BY_DOMAIN.get(`${name}.com`) : undefined);
}
