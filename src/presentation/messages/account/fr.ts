import type { AccountTexts } from '../catalogue.ts';

/** The account page in French. */
export const fr: AccountTexts = {
  'user.open': 'Menu du compte de {name}',
  'user.openUnnamed': 'Menu du compte',
  'user.manage': 'Gérer le compte',
  'user.signOut': 'Se déconnecter',
  'user.failed': 'Vous êtes toujours connecté.',
  'user.close': 'Fermer',
};
