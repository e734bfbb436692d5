'use server';
import { refresh } from 'next/cache';
import { auth } from '../lib/auth';
import { notes } from '../lib/notes';

/** A server function is a public endpoint: it checks its caller, and reads the user only from the session. */
export async function saveNote(form: FormData): Promise<void> {
  const who = await auth({ fresh: true });
  if (who.status !== 'signed-in') throw new Error(`The note was not saved: ${who.status}`);
  const note = form.get('note');
  if (typeof note === 'string') notes.set(who.user_id, note.slice(0, 200));
  // React empties the form after this. The page that is rendered anew fills it with the note.
  refresh();
}
