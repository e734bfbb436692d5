import type { MessageTexts } from '../message-texts.ts';

/** Portuguese: Brazilian (você), with words that are understood in Portugal, too. */
export const pt: MessageTexts = {
  passcode: {
    subject: '{code} é o seu código de {project}',
    lead: 'Seu código de {project} é {code}.',
    intro: {
      login_passcode: 'Digite este código para entrar em {project}.',
      signup_passcode: 'Digite este código para se cadastrar em {project}.',
      confirm_passcode: 'Digite este código para adicionar este endereço à sua conta em {project}.',
    },
    short: 'Seu código de {project} é {code}.',
    warning: 'Não passe este código a ninguém.',
  },
  links: {
    login_link: {
      subject: 'Seu link de acesso a {project}',
      lead: 'Abra este link para entrar em {project}:',
      heading: 'Entre em {project}',
      intro: 'Clique no botão para entrar.',
      button: 'Entrar',
    },
    signup_link: {
      subject: 'Seu link de cadastro em {project}',
      lead: 'Abra este link para se cadastrar em {project}:',
      heading: 'Cadastre-se em {project}',
      intro: 'Clique no botão para criar sua conta.',
      button: 'Criar conta',
    },
    invite_link: {
      subject: 'Você recebeu um convite para {project}',
      lead: 'Abra este link para aceitar seu convite para {project}:',
      heading: 'Você recebeu um convite para {project}',
      intro: 'Clique no botão para aceitar o convite.',
      button: 'Aceitar o convite',
    },
    confirm_link: {
      subject: 'Confirme seu endereço de e-mail para {project}',
      lead: 'Abra este link para adicionar este endereço à sua conta em {project}:',
      heading: 'Confirme seu endereço de e-mail',
      intro: 'Clique no botão para adicionar este endereço à sua conta em {project}.',
      button: 'Confirmar o endereço',
    },
    reset_password: {
      subject: 'Defina uma nova senha para {project}',
      lead: 'Abra este link para definir uma nova senha para {project} (válido por {duration}):',
      heading: 'Defina uma nova senha',
      intro: 'Clique no botão para escolher uma nova senha para {project}.',
      button: 'Definir uma nova senha',
    },
  },
  refusal: {
    subject: 'Nenhuma conta em {project} com este endereço',
    heading: 'Nenhuma conta com este endereço',
    intro:
      'Alguém, talvez você, quis entrar em {project} com este endereço. Não existe conta com ele, e não é possível criar uma.',
    advice: 'Se você tem uma conta, entre com o endereço dela. Caso contrário, peça um convite a {project}.',
  },
  instead: {
    lead: 'Ou entre sem senha (válido por {duration}):',
    label: 'Entrar sem senha',
    validity: 'Cada link funciona uma única vez.',
  },
  validity: 'Funciona uma única vez, durante {duration}.',
  ignore: 'Se você não fez este pedido, ignore esta mensagem.',
  ignoreReset: 'Se você não fez este pedido, ignore esta mensagem. Sua senha não foi alterada.',
  ignoreInvitation: 'Se você não esperava este convite, ignore esta mensagem.',
  requestNote: 'Pedido em {time} com {device}.',
  askedAt: 'Pedido em {time}.',
  copyLink: 'Se o botão não funcionar, copie este endereço para o seu navegador:',
};
