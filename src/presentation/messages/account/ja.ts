import type { AccountTexts } from '../catalogue.ts';

/** The account page in Japanese. */
export const ja: AccountTexts = {
  'user.open': '{name}のアカウントメニュー',
  'user.openUnnamed': 'アカウントメニュー',
  'user.manage': 'アカウントを管理',
  'user.signOut': 'ログアウト',
  'user.failed': 'まだログインしています。',
  'user.close': '閉じる',
};
