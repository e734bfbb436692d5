import { describe, expect, it } from 'vitest';
import { personOf } from '#presentation/parts/person.ts';
import type { User } from '#domain/users/user.ts';

const USER = { user_id: 'user-1', name: {}, emails: [], phone_numbers: [], providers: [] } as unknown as User;
const email = (address: string) => ({ email_id: 'e', email: address, verified: true });

describe('A user in one line', () => {
  it('is the name, with the address beside it', () => {
    const user = { ...USER, name: { first_name: ' Ada ', last_name: 'Lovelace' }, emails: [email('ada@example.com')] };
    expect(personOf(user)).toEqual({
      label: 'Ada Lovelace',
      detail: 'ada@example.com',
      initials: 'AL',
      picture: null,
    });
  });

  it('is the address without a name, and the number without an address', () => {
    expect(personOf({ ...USER, emails: [email('1grace@example.com')] })).toMatchObject({
      label: '1grace@example.com',
      detail: '',
      initials: 'G',
    });
    const phone = { phone_id: 'p', phone_number: '+15005550006', verified: true };
    expect(personOf({ ...USER, phone_numbers: [phone] })).toMatchObject({ label: '+15005550006', initials: '' });
  });

  it('is empty for a user of whom the server tells no more than the id', () => {
    expect(personOf({ user_id: 'user-1' } as User)).toEqual({ label: '', detail: '', initials: '', picture: null });
  });

  it('has the first picture of a social login', () => {
    const login = (profile_picture_url: string | null) => ({
      oauth_user_registration_id: 'o',
      provider_type: 'google',
      provider_subject: 's',
      profile_picture_url,
    });
    const providers = [login(null), login('https://pictures.example/ada.png')];
    expect(personOf({ ...USER, providers }).picture).toBe('https://pictures.example/ada.png');
  });
});
