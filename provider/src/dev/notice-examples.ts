import type { NoticeLine, NoticeTopic } from '#provider/messages/texts/notices/notice-texts.ts';
import type { NoticeContent } from '#provider/messages/texts/notices/notice-wording.ts';

const AT = new Date(Date.UTC(2030, 0, 2, 15, 4));
const TOKEN = 'DOYoip3rvIMMW5lgItikFK-Ak1CfMsgjuiCyI7uuU94';

/** The example values of the sentences that need one. */
const VALUES: Partial<Readonly<Record<NoticeLine, string>>> = {
  email_added: 'm•••@example.com',
  email_removed: 'm•••@example.com',
  phone_added: '+1 ••• 42',
  phone_removed: '+1 ••• 42',
  social_added: 'Google',
  social_removed: 'Google',
  device: 'Firefox (Windows)',
  app: 'Weekly Planner',
};

const WITHOUT_LINK: ReadonlySet<NoticeLine> = new Set([
  'recovery_canceled',
  'recovery_completed',
  'restored',
  'account_deleted',
]);

function topicOf(line: NoticeLine): NoticeTopic {
  if (line.startsWith('password')) return 'password';
  if (line.startsWith('device')) return 'device';
  if (line === 'account_deleted') return 'deleted';
  if (line === 'recovery_code' || line === 'app') return line;
  if (line === 'recovery_started' || line === 'recovery_available') return line;
  return line.startsWith('recovery') ? 'recovery_ended' : 'account';
}

function actionOf(line: NoticeLine): NoticeContent['action'] {
  if (line === 'recovery_started') return 'stop';
  if (line === 'recovery_available') return 'finish';
  return WITHOUT_LINK.has(line) ? null : 'undo';
}

/** An example of a notice for developers. */
export function exampleNotice(line: NoticeLine, project: string): NoticeContent {
  const value = VALUES[line];
  const action = actionOf(line);
  const page = action === 'undo' ? 'undo' : 'recovery';
  return {
    topic: topicOf(line),
    items: [
      { line, ...(value === undefined ? {} : { value }), time: new Date(AT.getTime() + 86_400_000).toISOString() },
    ],
    project,
    at: AT,
    action,
    link: action === null ? undefined : `https://auth.example.com/notices/${page}?token=${TOKEN}`,
  };
}
