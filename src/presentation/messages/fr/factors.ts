import type { FactorTexts } from '../catalogue.ts';

/** The second factor of a login in French. */
export const fr: FactorTexts = {
  'factor.title': 'Confirmez votre identité',
  'factor.choose': 'Choisissez comment confirmer votre identité.',
  'factor.other': 'Utiliser un autre moyen',
  'factor.continue': 'Continuer',
  'factor.webauthn': 'Utiliser une clé d’accès',
  'factor.totp': 'Application d’authentification',
  'factor.sms': 'Envoyer un code par SMS au {phone}',
  'factor.whatsapp': 'Envoyer un code par WhatsApp au {phone}',
  'factor.recovery_code': 'Code de récupération',
  'factor.totp.text': 'Saisissez le code à 6 chiffres de votre application d’authentification.',
  'factor.totp.field': 'Code de votre application d’authentification',
  'factor.verifying': 'Vérification…',
  'factor.tryAgain': 'Réessayer',
  'factor.recovery_code.text':
    'Saisissez l’un des codes de récupération que vous avez enregistrés. Chacun sert une seule fois.',
  'factor.webauthn.text':
    'Votre navigateur demande votre empreinte, votre visage ou le verrouillage de votre appareil.',
  'factor.trust.one': 'Faire confiance à ce navigateur pendant un jour',
  'factor.trust': 'Faire confiance à ce navigateur pendant {days} jours',
  'factor.trust.text': 'Uniquement sur un appareil qui n’est qu’à vous.',
  'factor.another.title': 'Un autre moyen de connexion',
  'factor.another.text':
    'Connectez-vous maintenant aussi par une autre méthode, comme votre mot de passe ou un code par e-mail.',
  'factor.another.do': 'Se connecter autrement',
  'factor.over.title': 'Veuillez vous reconnecter',
  'factor.over.do': 'Retour à la connexion',
  'factor.retry': 'Réessayer',
  'factor.enrol.title': 'Protégez votre compte',
  'factor.enrol.text': 'Une seconde étape est nécessaire ici. Configurez l’une d’elles ; cela prend une minute.',
  'factor.enrol.webauthn': 'Créer une clé d’accès',
  'factor.enrol.webauthn.text': 'Empreinte, visage ou verrouillage d’écran de cet appareil. Le moyen le plus sûr.',
  'factor.enrol.totp': 'Utiliser une application d’authentification',
  'factor.enrol.totp.text': 'Une application de votre téléphone affiche un nouveau code toutes les 30 secondes.',
  'factor.enrol.sms': 'Recevoir des SMS',
  'factor.enrol.sms.text':
    'Un code est envoyé par SMS. Moins sûr : quiconque s’empare de votre numéro reçoit vos codes.',
  'factor.enrol.whatsapp': 'Recevoir des messages WhatsApp',
  'factor.enrol.whatsapp.text':
    'Un code est envoyé par WhatsApp. Moins sûr : quiconque s’empare de votre numéro reçoit vos codes.',
  'factor.scan.title': 'Ajoutez ce compte à votre application',
  'factor.scan.text': 'Scannez ce code avec votre application d’authentification, ou saisissez-y la clé.',
  'factor.scan.qr': 'Code QR pour votre application d’authentification',
  'factor.scan.key': 'Clé',
  'factor.scan.copy': 'Copier la clé',
  'factor.copied': 'Copié',
  'factor.save.title': 'Enregistrez vos codes de récupération',
  'factor.save.text':
    'Chaque code vous connecte une fois lorsque vous n’avez pas votre téléphone. Ils ne s’affichent que maintenant.',
  'factor.save.copy': 'Copier les codes',
  'factor.save.download': 'Télécharger',
  'factor.save.print': 'Imprimer',
  'factor.save.done': 'Je les ai enregistrés',
  'factor.confirm.title': 'Saisissez le premier code',
  'factor.confirm.text': 'Saisissez le code que votre application affiche maintenant.',
  'factor.phone.title': 'Ajoutez votre numéro de téléphone',
  'factor.lost': 'Vous avez tout perdu ?',
  'factor.lost.pending': 'Une récupération de votre compte est en cours',
  'factor.recovery.title': 'Récupérer votre compte',
  'factor.recovery.text':
    'Si aucun de ces moyens ne fonctionne plus pour vous, vos seconds facteurs peuvent être supprimés. Pour votre sécurité, un délai s’applique : {duration}.',
  'factor.recovery.told':
    'Chaque adresse e-mail et chaque numéro de téléphone de votre compte reçoit maintenant un message avec un lien qui arrête la récupération.',
  'factor.recovery.later': 'Après ce délai, un autre message contient un lien qui la termine.',
  'factor.recovery.end': 'Vos seconds facteurs sont alors supprimés, et toutes vos sessions sont fermées.',
  'factor.recovery.begin': 'Commencer la récupération',
  'factor.recovery.wait.title': 'La récupération a commencé',
  'factor.recovery.wait.text':
    'Elle pourra être terminée à partir de : {time}. Vous recevrez alors un autre message avec un lien qui la termine.',
  'factor.recovery.stop':
    'Pour l’arrêter, ouvrez le lien de l’un des messages à son sujet. Tant qu’elle n’est pas terminée, votre second facteur est nécessaire pour vous connecter.',
  'factor.recovery.ready.title': 'La récupération peut être terminée',
  'factor.recovery.ready.text':
    'Ouvrez le lien du message le plus récent à son sujet. Vous pourrez y terminer ou arrêter la récupération.',
};
