-- The scopes of one user, with whatever agent, are found without reading those of all others.
create index scopes_by_user on scopes (tenant_id, user_id, kind, owner, name, session);
