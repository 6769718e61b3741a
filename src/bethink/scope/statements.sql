-- name: advance_scope -> PlaceRow
-- Take the next revision of a scope that is there already; one that is not answers no row.
update scopes set revision = revision + 1, updated_at = :now
where tenant_id = :tenant and kind = :kind and owner = :owner and name = :name
  and user_id = :user and session = :session
returning scope_id, revision;

-- name: touch_scope -> PlaceRow
-- Take the next revision of a scope, and make the scope where it is not there yet.
insert into scopes (tenant_id, scope_id, kind, owner, name, user_id, session, revision, created_at, updated_at)
values (:tenant, :fresh, :kind, :owner, :name, :user, :session, 1, :now, :now)
on conflict (tenant_id, kind, owner, name, user_id, session)
do update set revision = scopes.revision + 1, updated_at = excluded.updated_at
returning scope_id, revision;

-- name: find_scope -> PlaceRow
-- Find a scope by its columns, with the revision of its newest write.
select scope_id, revision from scopes
where tenant_id = :tenant and kind = :kind and owner = :owner and name = :name
  and user_id = :user and session = :session;

-- name: is_due
-- Tell whether something in a scope may be overdue.
select 1 from scopes
where tenant_id = :tenant and kind = :kind and owner = :owner and name = :name
  and user_id = :user and session = :session and due_at <= :now;

-- name: due_scopes -> DueScopeRow
-- List the scopes of a tenant in which something may be overdue.
select kind, owner, name, user_id, session from scopes
where tenant_id = :tenant and due_at <= :now
order by due_at, scope_id;

-- name: set_due
-- Note from when on something in a scope may be overdue.
update scopes set due_at = :due where tenant_id = :tenant and scope_id = :scope;

-- name: find_due
-- Find from when on something in a scope may be overdue.
select due_at from scopes where tenant_id = :tenant and scope_id = :scope;

-- name: put_off
-- Note that nothing in a scope is overdue before an instant, unless somebody noted something else meanwhile.
-- param: was int | None
update scopes set due_at = :due where tenant_id = :tenant and scope_id = :scope and due_at = :was;

-- name: hasten
-- Note that something in a scope may be overdue earlier than was known.
update scopes set due_at = :due
where tenant_id = :tenant and scope_id = :scope and (due_at is null or due_at > :due);

-- name: child_scopes -> ChildScopeRow
-- List the session stores of one agent and user: what may stand in for a namespace that is still empty.
select scope_id, session, revision from scopes
where tenant_id = :tenant and kind = :kind and owner = :owner and name = :name and user_id = :user and session <> ''
order by session;

-- name: all_scopes -> ScopeRow
-- List every scope of a tenant.
select scope_id, kind, owner, name, user_id, session, revision from scopes
where tenant_id = :tenant
order by kind, owner, name, user_id, session;

-- name: scopes_of_user -> ScopeRow
-- List the scopes that agents keep of one user; of nobody in particular with an empty user.
select scope_id, kind, owner, name, user_id, session, revision from scopes
where tenant_id = :tenant and kind = 'agent' and user_id = :user and session = ''
order by owner, name;

-- name: numbered_scope -> ScopeRow
-- Find a scope by its number.
select scope_id, kind, owner, name, user_id, session, revision from scopes
where tenant_id = :tenant and scope_id = :scope;

-- name: add_share
-- Register a pool or a team; a name that is taken answers no row.
insert into shares (tenant_id, kind, name, owner, created_at)
values (:tenant, :kind, :name, :owner, :now)
on conflict (tenant_id, kind, name) do nothing
returning name;

-- name: find_share -> ShareOwnerRow
-- Find the owner of a pool or a team.
select owner, created_at from shares where tenant_id = :tenant and kind = :kind and name = :name;

-- name: all_shares -> ShareRow
-- List the pools or the teams of a tenant.
select name, owner, created_at from shares where tenant_id = :tenant and kind = :kind order by name;

-- name: remove_share
-- Unregister a pool or a team.
delete from shares where tenant_id = :tenant and kind = :kind and name = :name;

-- name: put_grant
-- Give rights on a pool or a team, in place of those given before.
insert into grants (tenant_id, kind, name, grantee, rights, created_at)
values (:tenant, :kind, :name, :grantee, :rights, :now)
on conflict (tenant_id, kind, name, grantee)
do update set rights = excluded.rights, created_at = excluded.created_at;

-- name: find_grants -> GrantRow
-- List the rights given on a pool or a team.
select grantee, rights from grants where tenant_id = :tenant and kind = :kind and name = :name order by grantee;

-- name: remove_grant
-- Take back the rights of one grantee.
delete from grants where tenant_id = :tenant and kind = :kind and name = :name and grantee = :grantee;

-- name: remove_grants
-- Take back all rights on a pool or a team.
delete from grants where tenant_id = :tenant and kind = :kind and name = :name;

-- name: add_event
-- Note what happened, without content.
insert into events (tenant_id, scope_id, revision, kind, subject, actor, at)
values (:tenant, :scope, :revision, :kind, :subject, :actor, :now);

-- name: events_since -> EventRow
-- List what happened after a revision.
select revision, kind, subject, actor, at from events
where tenant_id = :tenant and scope_id = :scope and revision > :since
order by revision;

-- name: put_tombstone
-- Mark something as deleted for good, so that no import or restore brings it back.
insert into tombstones (tenant_id, kind, digest, revision, at)
values (:tenant, :kind, :digest, :revision, :now)
on conflict (tenant_id, kind, digest)
do update set revision = excluded.revision, at = excluded.at;

-- name: bury_scope
-- Mark a scope as deleted for good, and whose it was, by a digest, so that its user can be told.
insert into tombstones (tenant_id, kind, digest, revision, at, audience)
values (:tenant, 'namespace', :digest, :revision, :now, :audience)
on conflict (tenant_id, kind, digest)
do update set revision = excluded.revision, at = excluded.at, audience = excluded.audience;

-- name: find_tombstone -> TombstoneMarkRow
-- Find when something was deleted.
select revision, at from tombstones where tenant_id = :tenant and kind = :kind and digest = :digest;

-- name: all_tombstones -> TombstoneRow
-- List what was deleted for good in a tenant.
select kind, digest, revision, at from tombstones where tenant_id = :tenant order by kind, digest;

-- name: lift_tombstone
-- Let something that was deleted for good come back.
delete from tombstones where tenant_id = :tenant and kind = :kind and digest = :digest;

-- name: every_share
-- List the pools and the teams of a tenant.
select kind, name from shares where tenant_id = :tenant order by kind, name;

-- name: hold_scope
-- Keep others from adding passages to a scope until this is committed; a scope that was erased answers no row.
select revision from scopes where tenant_id = :tenant and scope_id = :scope /* for update */;

-- name: raise_revision
-- Go on counting a scope's writes from a greater number, after what was written before came back from elsewhere.
update scopes set revision = :revision where tenant_id = :tenant and scope_id = :scope and revision < :revision;

-- name: erasures_since -> ErasureRow
-- List what was erased as a whole since an instant.
select kind, digest, at, audience from tombstones
where tenant_id = :tenant and kind in ('namespace', 'user', 'tenant') and at >= :since
order by at, kind, digest;

-- name: advance_by
-- Take several revisions of a scope at once; the row is locked by the write under way.
update scopes set revision = revision + :by where tenant_id = :tenant and scope_id = :scope;
