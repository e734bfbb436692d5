import type { AccountTexts } from '../catalogue.ts';

/** The account page in Arabic. */
export const ar: AccountTexts = {
  'user.open': 'قائمة حساب {name}',
  'user.openUnnamed': 'قائمة الحساب',
  'user.manage': 'إدارة الحساب',
  'user.signOut': 'تسجيل الخروج',
  'user.failed': 'ما زلت مسجّل الدخول.',
  'user.close': 'إغلاق',
};
