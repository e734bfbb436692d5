import type { NoticeTexts } from './notice-texts.ts';

/** French: vous, with a no-break space before two-part punctuation. */
export const fr: NoticeTexts = {
  subjects: {
    password: 'Votre mot de passe pour {project} a été modifié',
    account: 'Votre compte {project} a été modifié',
    device: 'Nouvelle connexion à {project}',
    recovery_code: 'Un code de récupération a été utilisé sur {project}',
    app: 'Une application a accès à votre compte {project}',
    recovery_started: 'Une récupération de votre compte {project} a commencé',
    recovery_available: 'La récupération de votre compte {project} peut être terminée',
    recovery_ended: 'La récupération de votre compte {project} est terminée',
    deleted: 'Votre compte {project} a été supprimé',
  },
  lines: {
    password_changed: 'Votre mot de passe a été modifié.',
    password_added: 'Un mot de passe a été défini.',
    password_removed: 'Votre mot de passe a été supprimé.',
    email_added: 'L’adresse e-mail {value} a été ajoutée.',
    email_removed: 'L’adresse e-mail {value} a été supprimée.',
    phone_added: 'Le numéro de téléphone {value} a été ajouté.',
    phone_removed: 'Le numéro de téléphone {value} a été supprimé.',
    totp_added: 'Une application d’authentification a été ajoutée.',
    totp_removed: 'L’application d’authentification a été supprimée.',
    passkey_added: 'Une clé d’accès a été ajoutée.',
    passkey_removed: 'Une clé d’accès a été supprimée.',
    wallet_added: 'Un portefeuille a été ajouté.',
    wallet_removed: 'Un portefeuille a été supprimé.',
    social_added: 'Un compte {value} a été associé.',
    social_removed: 'Un compte {value} a été dissocié.',
    device: 'Quelqu’un s’est connecté avec un nouvel appareil\u00a0: {value}.',
    device_unknown: 'Quelqu’un s’est connecté avec un nouvel appareil.',
    recovery_code: 'Un code de récupération a été utilisé pour la connexion.',
    codes_renewed: 'De nouveaux codes de récupération ont été créés. Les précédents ne fonctionnent plus.',
    app: 'L’application {value} a reçu un accès à votre compte.',
    recovery_started:
      'Quelqu’un a demandé la suppression de seconds facteurs de votre compte. Elle sera possible à partir de cette date, sauf si la récupération est arrêtée\u00a0: {time}.',
    recovery_available:
      'Le délai de la récupération de votre compte est écoulé. Les seconds facteurs peuvent maintenant être supprimés.',
    recovery_canceled: 'La récupération a été arrêtée. Les seconds facteurs sont conservés.',
    recovery_completed: 'Les seconds facteurs ont été supprimés et toutes les sessions sont fermées.',
    restored:
      'Des modifications ont été annulées par le lien «\u00a0Ce n’était pas moi\u00a0» et toutes les sessions sont fermées.',
    account_deleted: 'Votre compte a été supprimé, avec tout ce qui y était enregistré.',
  },
  at: 'Date\u00a0: {time}.',
  fine: 'Si c’était vous, vous n’avez rien à faire.',
  check: 'Si ce n’était pas vous, connectez-vous, vérifiez votre compte et changez votre mot de passe.',
  final: 'Si ce n’était pas vous, contactez {project}. Le compte ne peut pas être rétabli.',
  undo: {
    lead: 'Si ce n’était pas vous, ouvrez ce lien\u00a0:',
    button: 'Ce n’était pas moi',
    validity:
      'La page montre ce qui sera annulé avant que rien ne se passe. Le lien fonctionne une seule fois, pendant 7 jours.',
  },
  stop: {
    lead: 'Si ce n’était pas vous, arrêtez la récupération\u00a0:',
    button: 'Arrêter la récupération',
    validity: 'Rien ne se passe avant votre confirmation sur la page.',
  },
  finish: {
    lead: 'Pour terminer ou arrêter la récupération, ouvrez ce lien\u00a0:',
    button: 'Terminer ou arrêter',
    validity: 'Rien ne se passe avant votre confirmation sur la page.',
  },
  pages: {
    undoTitle: 'Ce n’était pas moi',
    undone: 'Ceci est annulé\u00a0:',
    remains: 'Ceci ne peut pas être annulé ici\u00a0:',
    sessions: 'Toutes les sessions sont fermées et les applications perdent leur accès.',
    password: 'Le mot de passe est inutilisable jusqu’à sa réinitialisation.',
    recovery:
      'Les nouveaux seconds facteurs peuvent être supprimés après un délai ({duration}), sauf si quelqu’un l’arrête depuis un message à ce sujet ou se connecte avec le facteur et une méthode de connexion plus ancienne.',
    undoButton: 'Sécuriser mon compte',
    undoDone: 'Votre compte est sécurisé.',
    stopTitle: 'Arrêter la récupération',
    stopText: 'Les seconds facteurs du compte sont conservés.',
    stopButton: 'Arrêter la récupération',
    stopDone: 'La récupération est arrêtée.',
    finishTitle: 'Terminer la récupération',
    finishText:
      'Les seconds facteurs sont supprimés et toutes les sessions sont fermées. Connectez-vous ensuite et configurez un nouveau second facteur.',
    finishButton: 'Supprimer les seconds facteurs',
    finishDone: 'Les seconds facteurs sont supprimés.',
    next: 'Continuer vers {project}',
    over: 'Ce lien a expiré ou a déjà été utilisé.',
  },
};
