import { Hono } from 'hono';
import { remoteAddress } from '#provider/base/http/arrival.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { styleSheet } from '#provider/base/http/page-css.ts';
import { readFields } from '#provider/base/http/request.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { noticeSentence } from '#provider/messages/texts/notices/notice-wording.ts';
import { wordingFor, type Wording } from '#provider/messages/texts/wording.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import { cancelRecovery, completeRecovery, recoveryHoursOf } from '../recovery/store.ts';
import type { Services } from '../services.ts';
import { lockUser } from '../users/lock.ts';
import { itemOf } from './items.ts';
import { NOTICE_PAGES } from './links.ts';
import css from './notices.css?raw';
import { NOTICES_CSS } from './paths.ts';
import { donePage, overPage, recoveryPage, undoPage, type DoneText, type UndoSentences } from './pages.ts';
import { linkOf, planUndo, undo, spendLink, type NoticeLink, type UndoPlan } from './undo.ts';

type NoticeRouteServices = RateLimitServices & Pick<Services, 'random' | 'project'>;

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    `default-src 'none'`,
    `style-src 'self'`,
    `img-src data:`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
  // The URL contains the token, so no other page may see it.
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const RECOVERY_PURPOSES = ['stop_recovery', 'finish_recovery'] as const;

/**
 * The pages behind the links of notices. They need no script and no login. `GET` shows what the link does and changes nothing, because mail
 * scanners follow links. The button posts the token in a form.
 */
export function noticeRoutes(services: NoticeRouteServices): Hono<AppEnv> {
  const { project } = services;
  const app = new Hono<AppEnv>();
  const contextFor = (locale: string | undefined) => ({
    wording: wordingFor(locale, project.delivery.locale),
    project: project.name,
    css: NOTICES_CSS,
  });
  const recoveryHours = recoveryHoursOf(services);
  const next = project.default_login_redirect_url;
  const show = (context: AppContext, page: ReturnType<typeof overPage>, status: 200 | 404 = 200) =>
    context.html(page, status, HEADERS);

  async function over(context: AppContext, title: 'undoTitle' | 'stopTitle') {
    await takeForNetwork(services, 'failure', remoteAddress(context), services.limits.failuresPerNetwork);
    const preferred = context.req.header('accept-language')?.split(/[,;]/u)[0];
    return show(context, overPage(contextFor(preferred), title, next), 404);
  }

  app.use('*', async (context, following) => {
    context.set('pattern', new URL(context.req.url).pathname === NOTICES_CSS ? NOTICES_CSS : '/notices/*');
    await following();
  });
  app.get('/notices.css', styleSheet(css));

  app.get('/undo', async (context) => {
    const token = context.req.query('token') ?? '';
    const link = await linkOf(services, services.db, token, ['undo']);
    const plan = link === undefined ? undefined : await planUndo(services, services.db, link);
    if (link === undefined || plan === undefined) return over(context, 'undoTitle');
    const page = contextFor(link.locale);
    const form = { ...page, action: NOTICE_PAGES.undo, token };
    return show(context, undoPage(form, sentencesOf(page.wording, plan, recoveryHours)));
  });

  app.post('/undo', async (context) => {
    const token = (await readFields(context.req.raw)).get('token') ?? '';
    const link = await linkOf(services, services.db, token, ['undo']);
    const done =
      link !== undefined && (await transaction(services.db, (tx) => undo(services, tx, link, recoveryHours)));
    return done ? show(context, donePage(contextFor(link.locale), 'undoDone', next)) : over(context, 'undoTitle');
  });

  app.get('/recovery', async (context) => {
    const token = context.req.query('token') ?? '';
    const link = await linkOf(services, services.db, token, RECOVERY_PURPOSES);
    if (link === undefined || !(await isWaiting(services, link))) return over(context, 'stopTitle');
    const form = { ...contextFor(link.locale), action: NOTICE_PAGES.stop_recovery, token };
    return show(context, recoveryPage(form, link.purpose === 'finish_recovery'));
  });

  app.post('/recovery', async (context) => {
    const fields = await readFields(context.req.raw);
    const link = await linkOf(services, services.db, fields.get('token') ?? '', RECOVERY_PURPOSES);
    const done = link === undefined ? null : await endRecovery(services, link, fields.get('do') ?? '');
    return link === undefined || done === null
      ? over(context, 'stopTitle')
      : show(context, donePage(contextFor(link.locale), done, next));
  });
  return app;
}

async function isWaiting({ db }: Pick<Services, 'db'>, { recovery_id }: NoticeLink): Promise<boolean> {
  const found = await db
    .selectFrom('recoveries')
    .select('state')
    .where('recovery_id', '=', recovery_id ?? '')
    .executeTakeFirst();
  return found?.state === 'waiting';
}

/** Stops or finishes the recovery of a link; null if the recovery has ended, or the link does not allow this. */
async function endRecovery(services: NoticeRouteServices, link: NoticeLink, what: string): Promise<DoneText | null> {
  const { recovery_id, user_id, purpose } = link;
  const finishes = what === 'finish' && purpose === 'finish_recovery';
  if (recovery_id === null || (what !== 'stop' && !finishes)) return null;
  return transaction(services.db, async (tx) => {
    const user = await lockUser(tx, user_id);
    if (user === undefined || !(await spendLink(services, tx, link))) return null;
    const hasEnded = await (finishes ? completeRecovery : cancelRecovery)(services, tx, user, recovery_id);
    return hasEnded ? (finishes ? 'finishDone' : 'stopDone') : null;
  });
}

function sentencesOf(wording: Wording, plan: UndoPlan, hours: number | null): UndoSentences {
  const { removed, restored, remains, resetsPassword, waiting, endedCodes } = plan;
  const say = (change: Parameters<typeof itemOf>[0]): string => noticeSentence(wording, itemOf(change, new Map()));
  return {
    undone: [...removed, ...restored.map(({ change }) => change), ...(endedCodes ? [endedCodes] : [])].map(say),
    remains: [...remains, ...(hours === null ? waiting : [])].map(say),
    resetsPassword,
    wait: waiting.length > 0 && hours !== null ? wording.duration(hours * 60) : null,
  };
}
