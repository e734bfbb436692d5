import type { AccountTexts } from '../catalogue.ts';

/** The account page in German. */
export const de: AccountTexts = {
  'user.open': 'Kontomenü von {name}',
  'user.openUnnamed': 'Kontomenü',
  'user.manage': 'Konto verwalten',
  'user.signOut': 'Abmelden',
  'user.failed': 'Sie sind noch angemeldet.',
  'user.close': 'Schließen',
};
