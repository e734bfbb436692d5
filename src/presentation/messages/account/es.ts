import type { AccountTexts } from '../catalogue.ts';

/** The account page in Spanish. */
export const es: AccountTexts = {
  'user.open': 'Menú de la cuenta de {name}',
  'user.openUnnamed': 'Menú de la cuenta',
  'user.manage': 'Gestionar la cuenta',
  'user.signOut': 'Cerrar sesión',
  'user.failed': 'La sesión sigue abierta.',
  'user.close': 'Cerrar',
};
