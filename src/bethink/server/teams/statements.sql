-- name: put_team -> StoredRow
-- Keep the spec of a team, in place of the one before, with the next revision.
insert into team_specs (tenant_id, owner, name, spec, revision, created_at, updated_at)
values (:tenant, :owner, :name, :spec, 1, :now, :now)
on conflict (tenant_id, owner, name)
do update set spec = excluded.spec, revision = team_specs.revision + 1, updated_at = excluded.updated_at
returning revision, created_at, updated_at;

-- name: find_team -> SpecRow
-- Find the spec of a team.
select spec, revision, created_at, updated_at from team_specs
where tenant_id = :tenant and owner = :owner and name = :name;

-- name: count_teams
-- Count the specs of teams of an owner.
select count(*) from team_specs where tenant_id = :tenant and owner = :owner;

-- name: remove_team
-- Forget the spec of a team; what it shared stays.
delete from team_specs where tenant_id = :tenant and owner = :owner and name = :name returning name;

-- name: all_teams -> TeamRow
-- List the specs of the teams of a tenant.
select owner, name, spec, revision, created_at, updated_at from team_specs
where tenant_id = :tenant order by name, owner;
